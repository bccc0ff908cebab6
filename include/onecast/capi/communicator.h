#ifndef ONECAST_CAPI_COMMUNICATOR_H
#define ONECAST_CAPI_COMMUNICATOR_H

#include "onecast/capi/file.h"

ONECAST_BEGIN_C

/// The processes or threads that open a file together. They communicate through functions of the
/// program (onecast_communicator_create) or through MPI (onecast_mpi.h).
typedef struct onecast_communicator onecast_communicator;

/// Functions by which the ranks of a program exchange messages without MPI: between threads, or
/// over UCX or sockets. Onecast builds all its communication from `send` and `receive`. Set the
/// struct to zeros first, then set `size`. Each rank has its own struct and context. PointToPoint
/// in onecast/comm/point_to_point.hpp states in full what the functions must guarantee. In short:
///
/// - The messages of one communicator never meet those of another. Messages with one sender,
///   receiver and tag arrive in the order in which they were sent.
/// - A function returns 0 on success. If it fails it returns an errno value, or -1 if none fits.
///   Onecast then calls `fail` once, the current call of Onecast returns ONECAST_IO, and all later
///   calls return ONECAST_STATE.
/// - `receive` must return an error once the sender cannot send any more, because the sender is
///   gone or because `fail` was called there. Otherwise ranks wait forever.
typedef struct onecast_point_to_point {
  size_t size;    ///< sizeof(onecast_point_to_point)
  void* context;  ///< passed to each function
  int rank;       ///< this rank, 0 ... ranks - 1
  int ranks;      ///< the number of ranks
  /// Sends 1 byte to 64 MiB to another rank; `tag` is 0, 1 or 2. Must not wait until the receiver
  /// takes the message; it copies the bytes if necessary.
  int (*send)(void* context, int to, int tag, const void* bytes, size_t size);
  /// Waits for the next message from rank `from` with `tag`. The message has `size` bytes.
  int (*receive)(void* context, int from, int tag, void* bytes, size_t size);
  /// NULL, or called after a function of this rank returned an error. `receive` on other ranks must
  /// then no longer wait for this rank, but return an error.
  void (*fail)(void* context, const char* reason);
  /// NULL, or called when the communicator and all files opened with it are closed.
  void (*release)(void* context);
  int any_thread;  ///< 1: Onecast may call the functions on a thread of its own
  uint64_t node;   ///< equal for all ranks on one machine
} onecast_point_to_point;

/// Creates a communicator that uses these functions. The struct is copied. Errors:
/// INVALID_ARGUMENT; then `release` is not called. @independent; does not communicate
ONECAST_API onecast_status onecast_communicator_create(const onecast_point_to_point* functions,
                                                       onecast_communicator** communicator);
/// Releases the handle. Open files keep what they need. @independent
ONECAST_API void onecast_communicator_close(onecast_communicator** communicator);

/// Creates a file on all ranks of the communicator; otherwise like onecast_file_create. @collective
/// @same
ONECAST_API onecast_status onecast_file_create_on(const char* path,
                                                  const onecast_communicator* communicator,
                                                  const onecast_file_options* options,
                                                  onecast_file** file);
/// Opens a file on all ranks of the communicator; otherwise like onecast_file_open. @collective
/// @same
ONECAST_API onecast_status onecast_file_open_on(const char* path, onecast_access access,
                                                const onecast_communicator* communicator,
                                                const onecast_file_options* options,
                                                onecast_file** file);

ONECAST_END_C

#endif
