#ifndef ONECAST_ONECAST_MPI_H
#define ONECAST_ONECAST_MPI_H

#include <mpi.h>

#include "onecast/onecast.h"

/// Opening a file on all processes of a communicator; only in a build with MPI.
///
/// The communicator is duplicated, so that Onecast's messages never meet the caller's. The
/// duplicate is freed when the last handle of the file and of its objects is: close them all at the
/// same point of the program on all ranks, and before MPI_Finalize.

ONECAST_BEGIN_C

/// The processes of an intracommunicator, for functions that take an onecast_communicator. Errors:
/// STATE (MPI is not running), INVALID_ARGUMENT, IO (MPI refused). @collective
ONECAST_API onecast_status onecast_communicator_mpi(MPI_Comm comm,
                                                    onecast_communicator** communicator);
/// For Fortran. @collective
ONECAST_API onecast_status onecast_communicator_mpi_fortran(MPI_Fint comm,
                                                            onecast_communicator** communicator);

/// As onecast_file_create, on all processes of `comm`. @collective @same
ONECAST_API onecast_status onecast_file_create_mpi(const char* path, MPI_Comm comm,
                                                   const onecast_file_options* options,
                                                   onecast_file** file);
/// As onecast_file_open, on all processes of `comm`. @collective @same
ONECAST_API onecast_status onecast_file_open_mpi(const char* path, onecast_access access,
                                                 MPI_Comm comm, const onecast_file_options* options,
                                                 onecast_file** file);

/// The same for Fortran, whose communicators (`comm%mpi_val` of mpi_f08) are integers. @collective
ONECAST_API onecast_status onecast_file_create_mpi_fortran(const char* path, MPI_Fint comm,
                                                           const onecast_file_options* options,
                                                           onecast_file** file);
ONECAST_API onecast_status onecast_file_open_mpi_fortran(const char* path, onecast_access access,
                                                         MPI_Fint comm,
                                                         const onecast_file_options* options,
                                                         onecast_file** file);

/// The hints of an info object, for onecast_file_options; none of MPI_INFO_NULL. To be given back
/// together by onecast_free(*hints), once the file is open.
///
///     onecast_hint* hints;
///     onecast_hints_of_info(info, &options.hint_count, &hints);
///     options.hints = hints;
///
/// @independent
ONECAST_API onecast_status onecast_hints_of_info(MPI_Info info, size_t* count,
                                                 onecast_hint** hints);
/// The same for Fortran. @independent
ONECAST_API onecast_status onecast_hints_of_info_fortran(MPI_Fint info, size_t* count,
                                                         onecast_hint** hints);

ONECAST_END_C

#endif
