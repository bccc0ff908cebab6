#ifndef ONECAST_CAPI_COMMUNICATOR_H
#define ONECAST_CAPI_COMMUNICATOR_H

#include "onecast/capi/file.h"

ONECAST_BEGIN_C

/// The processes, or threads, that open a file together: of your own functions, or of MPI
/// (onecast_mpi.h).
typedef struct onecast_communicator onecast_communicator;

/// Messages between the ranks of a program that has them without MPI: threads, UCX, sockets.
/// Onecast builds all else from `send` and `receive`. Set all to zeros first, then `size`. Each
/// rank has a struct and a context of its own. See PointToPoint in onecast/comm/point_to_point.hpp
/// for what the functions must guarantee; in short:
///
/// - The messages of one communicator never meet others. Those of one sender, receiver and tag
///   arrive in the order in which they were sent.
/// - The functions return 0, or errno (-1: none fits) if they cannot do their work. Then `fail` is
///   called, once, and the call of Onecast returns ONECAST_IO; all later ones ONECAST_STATE.
/// - Nobody waits for ever if `receive` returns an error once the sender cannot send any more:
///   because it is gone, or because `fail` was called there.
typedef struct onecast_point_to_point {
  size_t size;    ///< sizeof(onecast_point_to_point)
  void* context;  ///< handed to each function
  int rank;       ///< this one, 0 ... ranks - 1
  int ranks;      ///< how many there are
  /// Sends 1 byte to 64 MiB to another rank; `tag` is 0, 1 or 2. Does not wait until the receiver
  /// takes them, so it has a copy where it must.
  int (*send)(void* context, int to, int tag, const void* bytes, size_t size);
  /// Waits for the next message of that rank and tag, which has that size.
  int (*receive)(void* context, int from, int tag, void* bytes, size_t size);
  /// NULL, or called when a function of this rank returned an error: `receive` of other ranks must
  /// not wait for this one any more, but return an error.
  void (*fail)(void* context, const char* reason);
  /// NULL, or called when the communicator and all files that it opened are closed.
  void (*release)(void* context);
  int any_thread;  ///< 1: functions may be called on another thread than the one that calls Onecast
  uint64_t node;   ///< a number that this rank has in common with those on the same machine
} onecast_point_to_point;

/// A communicator of those functions. The struct is copied. Errors: INVALID_ARGUMENT; `context` is
/// not released then. @independent; does not communicate
ONECAST_API onecast_status onecast_communicator_create(const onecast_point_to_point* functions,
                                                       onecast_communicator** communicator);
/// Gives the handle back; files that are open keep what they need. @independent
ONECAST_API void onecast_communicator_close(onecast_communicator** communicator);

/// As onecast_file_create, on all ranks of the communicator. @collective @same
ONECAST_API onecast_status onecast_file_create_on(const char* path,
                                                  const onecast_communicator* communicator,
                                                  const onecast_file_options* options,
                                                  onecast_file** file);
/// As onecast_file_open, on all ranks of the communicator. @collective @same
ONECAST_API onecast_status onecast_file_open_on(const char* path, onecast_access access,
                                                const onecast_communicator* communicator,
                                                const onecast_file_options* options,
                                                onecast_file** file);

ONECAST_END_C

#endif
