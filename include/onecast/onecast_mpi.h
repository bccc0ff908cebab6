#ifndef ONECAST_ONECAST_MPI_H
#define ONECAST_ONECAST_MPI_H

#include <mpi.h>

#include "onecast/onecast.h"

/// Functions that open a file on all processes of an MPI communicator. Available in a build with
/// MPI.
///
/// Onecast duplicates the communicator, so that its messages never meet the caller's. It frees the
/// duplicate with the last handle of the file and of its objects. Close all handles at the same
/// point of the program on all ranks, before MPI_Finalize.

ONECAST_BEGIN_C

/// Creates an onecast_communicator of the processes of an intracommunicator. Errors: STATE (MPI is
/// not initialized or is finalized), INVALID_ARGUMENT, IO (MPI returned an error). @collective
ONECAST_API onecast_status onecast_communicator_mpi(MPI_Comm comm,
                                                    onecast_communicator** communicator);
/// onecast_communicator_mpi for Fortran, whose communicators (`comm%mpi_val` of mpi_f08) are
/// integers. @collective
ONECAST_API onecast_status onecast_communicator_mpi_fortran(MPI_Fint comm,
                                                            onecast_communicator** communicator);

/// Creates a file on all processes of `comm`; otherwise like onecast_file_create. @collective @same
ONECAST_API onecast_status onecast_file_create_mpi(const char* path, MPI_Comm comm,
                                                   const onecast_file_options* options,
                                                   onecast_file** file);
/// Opens a file on all processes of `comm`; otherwise like onecast_file_open. @collective @same
ONECAST_API onecast_status onecast_file_open_mpi(const char* path, onecast_access access,
                                                 MPI_Comm comm, const onecast_file_options* options,
                                                 onecast_file** file);

/// onecast_file_create_mpi and onecast_file_open_mpi for Fortran. @collective @same
ONECAST_API onecast_status onecast_file_create_mpi_fortran(const char* path, MPI_Fint comm,
                                                           const onecast_file_options* options,
                                                           onecast_file** file);
ONECAST_API onecast_status onecast_file_open_mpi_fortran(const char* path, onecast_access access,
                                                         MPI_Fint comm,
                                                         const onecast_file_options* options,
                                                         onecast_file** file);

/// Returns the hints of an info object, for onecast_file_options; none for MPI_INFO_NULL. The
/// caller frees all of them with one onecast_free(*hints), after the file is open.
///
///     onecast_hint* hints;
///     onecast_hints_of_info(info, &options.hint_count, &hints);
///     options.hints = hints;
///
/// @independent
ONECAST_API onecast_status onecast_hints_of_info(MPI_Info info, size_t* count,
                                                 onecast_hint** hints);
/// onecast_hints_of_info for Fortran. @independent
ONECAST_API onecast_status onecast_hints_of_info_fortran(MPI_Fint info, size_t* count,
                                                         onecast_hint** hints);

ONECAST_END_C

#endif
