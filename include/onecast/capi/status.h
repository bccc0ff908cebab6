#ifndef ONECAST_CAPI_STATUS_H
#define ONECAST_CAPI_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define ONECAST_BEGIN_C extern "C" {
#define ONECAST_END_C }
// C programs may give any number; without this C++ could take it that they do not.
#define ONECAST_AS_INT : int
#else
#define ONECAST_AS_INT
#define ONECAST_BEGIN_C
#define ONECAST_END_C
#endif

#if defined(__GNUC__)
#define ONECAST_API __attribute__((visibility("default")))
#else
#define ONECAST_API
#endif

ONECAST_BEGIN_C

/// What became of a call.
typedef enum onecast_status ONECAST_AS_INT {
  ONECAST_OK = 0,
  ONECAST_INVALID_ARGUMENT,  ///< a wrong argument, or an object of another kind
  ONECAST_NOT_FOUND,         ///< no object, attribute or file of that name
  ONECAST_ALREADY_EXISTS,    ///< the name is taken
  ONECAST_IO,                ///< the operating system refused; see onecast_last_errno
  ONECAST_FORMAT,            ///< the bytes are not what the HDF5 specification allows
  ONECAST_UNSUPPORTED,       ///< valid HDF5 that Onecast cannot read or write faithfully
  ONECAST_DIVERGED,          ///< ranks of one communicator made different calls
  ONECAST_STATE,             ///< the object cannot do this now: closed, open for reading only
  ONECAST_NO_MEMORY,         ///< the system has no memory for it
  ONECAST_INTERNAL           ///< a mistake in Onecast
} onecast_status;

/// "not found", and so on. Never NULL. @independent, as all that follow
ONECAST_API const char* onecast_status_name(onecast_status status);

/// What was wrong with the last call of this thread that failed; empty if none did. Of a
/// @collective call it is the same on all ranks: that of the lowest rank that failed. Valid until
/// the thread's next call that fails.
ONECAST_API const char* onecast_last_error(void);
/// The status of that call; ONECAST_OK if none failed.
ONECAST_API onecast_status onecast_last_status(void);
/// errno of the system call that failed in it, or 0.
ONECAST_API int onecast_last_errno(void);

/// "MAJOR.MINOR.PATCH" of the library.
ONECAST_API const char* onecast_version(void);
/// Was the library built with MPI? 1 or 0.
ONECAST_API int onecast_has_mpi(void);

/// Gives back memory that a function returned: a text, a list. NULL is allowed.
ONECAST_API void onecast_free(void* memory);

ONECAST_END_C

#endif
