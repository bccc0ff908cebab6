#ifndef ONECAST_CAPI_MPI_H
#define ONECAST_CAPI_MPI_H

#include "onecast/capi/communicator.h"

/// The functions of onecast_mpi.h for code that is compiled without the mpi.h of the program, and
/// for Fortran. Available in a build with MPI.

ONECAST_BEGIN_C

/// A handle of MPI, an MPI_Comm or an MPI_Info; see MpiHandle in onecast/comm/any_mpi.hpp.
typedef struct onecast_mpi_handle {
  const void* bytes;    ///< the address of the handle
  size_t size;          ///< the size of the handle
  const void* library;  ///< the address of any function of this MPI, or of the library or program
                        ///< that uses it; NULL: the MPI to which the program is linked
} onecast_mpi_handle;

/// Creates an onecast_communicator of the processes of an intracommunicator. Errors: STATE (MPI is
/// not initialized or is finalized), INVALID_ARGUMENT (also the handle of another MPI), UNSUPPORTED
/// (no MPI, or one that Onecast does not know), IO (MPI returned an error). @collective
ONECAST_API onecast_status onecast_communicator_of_mpi(const onecast_mpi_handle* comm,
                                                       onecast_communicator** communicator);
/// Creates a file on all processes of `comm`; otherwise like onecast_file_create. @collective @same
ONECAST_API onecast_status onecast_file_create_of_mpi(const char* path,
                                                      const onecast_mpi_handle* comm,
                                                      const onecast_file_options* options,
                                                      onecast_file** file);
/// Opens a file on all processes of `comm`; otherwise like onecast_file_open. @collective @same
ONECAST_API onecast_status onecast_file_open_of_mpi(const char* path, onecast_access access,
                                                    const onecast_mpi_handle* comm,
                                                    const onecast_file_options* options,
                                                    onecast_file** file);
/// Returns the hints of an info object; see onecast_hints_of_info. @independent
ONECAST_API onecast_status onecast_hints_of_mpi(const onecast_mpi_handle* info, size_t* count,
                                                onecast_hint** hints);

/// These functions take communicators and info objects as Fortran has them (`comm%mpi_val` of
/// mpi_f08), of the MPI to which the program is linked. @collective
ONECAST_API onecast_status onecast_communicator_mpi_fortran(int comm,
                                                            onecast_communicator** communicator);
/// @collective @same
ONECAST_API onecast_status onecast_file_create_mpi_fortran(const char* path, int comm,
                                                           const onecast_file_options* options,
                                                           onecast_file** file);
/// @collective @same
ONECAST_API onecast_status onecast_file_open_mpi_fortran(const char* path, onecast_access access,
                                                         int comm,
                                                         const onecast_file_options* options,
                                                         onecast_file** file);
/// @independent
ONECAST_API onecast_status onecast_hints_of_info_fortran(int info, size_t* count,
                                                         onecast_hint** hints);

ONECAST_END_C

#endif
