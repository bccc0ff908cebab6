#ifndef ONECAST_ONECAST_MPI_H
#define ONECAST_ONECAST_MPI_H

#include <mpi.h>

#include "onecast/capi/mpi.h"
#include "onecast/onecast.h"

/// Functions that open a file on all processes of an MPI communicator. Available in a build with
/// MPI. Onecast is linked to no MPI: these functions are compiled into the program, and pass on
/// which MPI the program uses.
///
/// Onecast duplicates the communicator, so that its messages never meet the caller's. It frees the
/// duplicate with the last handle of the file and of its objects. Close all handles at the same
/// point of the program on all ranks, before MPI_Finalize.

ONECAST_BEGIN_C

/// Describes a handle of the MPI of the program.
static inline onecast_mpi_handle onecast_mpi_handle_of(const void* handle, size_t size) {
  onecast_mpi_handle described;
  described.bytes = handle;
  described.size = size;
  described.library = (const void*)(uintptr_t)&MPI_Comm_rank;
  return described;
}

/// Creates an onecast_communicator of the processes of an intracommunicator. Errors: STATE (MPI is
/// not initialized or is finalized), INVALID_ARGUMENT, UNSUPPORTED (an MPI that Onecast does not
/// know), IO (MPI returned an error). @collective
static inline onecast_status onecast_communicator_mpi(MPI_Comm comm,
                                                      onecast_communicator** communicator) {
  const onecast_mpi_handle handle = onecast_mpi_handle_of(&comm, sizeof comm);
  return onecast_communicator_of_mpi(&handle, communicator);
}

/// Creates a file on all processes of `comm`; otherwise like onecast_file_create. @collective @same
static inline onecast_status onecast_file_create_mpi(const char* path, MPI_Comm comm,
                                                     const onecast_file_options* options,
                                                     onecast_file** file) {
  const onecast_mpi_handle handle = onecast_mpi_handle_of(&comm, sizeof comm);
  return onecast_file_create_of_mpi(path, &handle, options, file);
}

/// Opens a file on all processes of `comm`; otherwise like onecast_file_open. @collective @same
static inline onecast_status onecast_file_open_mpi(const char* path, onecast_access access,
                                                   MPI_Comm comm,
                                                   const onecast_file_options* options,
                                                   onecast_file** file) {
  const onecast_mpi_handle handle = onecast_mpi_handle_of(&comm, sizeof comm);
  return onecast_file_open_of_mpi(path, access, &handle, options, file);
}

/// Returns the hints of an info object, for onecast_file_options; none for MPI_INFO_NULL. The
/// caller frees all of them with one onecast_free(*hints), after the file is open.
///
///     onecast_hint* hints;
///     onecast_hints_of_info(info, &options.hint_count, &hints);
///     options.hints = hints;
///
/// @independent
static inline onecast_status onecast_hints_of_info(MPI_Info info, size_t* count,
                                                   onecast_hint** hints) {
  const onecast_mpi_handle handle = onecast_mpi_handle_of(&info, sizeof info);
  return onecast_hints_of_mpi(&handle, count, hints);
}

ONECAST_END_C

#endif
