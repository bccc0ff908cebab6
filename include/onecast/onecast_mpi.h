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

ONECAST_END_C

#endif
