#ifndef ONECAST_CAPI_STATUS_H
#define ONECAST_CAPI_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define ONECAST_BEGIN_C extern "C" {
#define ONECAST_END_C }
// A fixed underlying type: C programs may pass any number, and C++ code must not assume otherwise.
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

/// The result of a call.
typedef enum onecast_status ONECAST_AS_INT {
  ONECAST_OK = 0,
  ONECAST_INVALID_ARGUMENT,  ///< a wrong argument, or an object of another kind
  ONECAST_NOT_FOUND,         ///< no object, attribute or file of that name
  ONECAST_ALREADY_EXISTS,    ///< the name is taken
  ONECAST_IO,                ///< a system call failed; see onecast_last_errno
  ONECAST_FORMAT,            ///< the bytes are not what the HDF5 specification allows
  ONECAST_UNSUPPORTED,       ///< valid HDF5 that Onecast cannot read or write faithfully
  ONECAST_DIVERGED,          ///< ranks of one communicator made different calls
  ONECAST_STATE,             ///< not possible now: the file is closed or open for reading only
  ONECAST_NO_MEMORY,         ///< out of memory
  ONECAST_INTERNAL           ///< an error in Onecast itself
} onecast_status;

/// Returns the name of a status in words, such as "not found"; never NULL. @independent
ONECAST_API const char* onecast_status_name(onecast_status status);

/// Describes the last call of this thread that failed; empty if none failed. After a collective
/// call all ranks get the same text: that of the lowest rank that failed. The text is valid until
/// another call of the thread fails. @independent
ONECAST_API const char* onecast_last_error(void);
/// Returns the status of the last call of this thread that failed; ONECAST_OK if none failed.
/// @independent
ONECAST_API onecast_status onecast_last_status(void);
/// Returns the errno of the system call that made that call fail, or 0. @independent
ONECAST_API int onecast_last_errno(void);

/// Returns the version of the library, "MAJOR.MINOR.PATCH". @independent
ONECAST_API const char* onecast_version(void);
/// Returns 1 if the library was built with MPI, else 0. @independent
ONECAST_API int onecast_has_mpi(void);

/// Frees memory that a function returned, such as a text or a list. NULL is allowed. @independent
ONECAST_API void onecast_free(void* memory);

ONECAST_END_C

#endif
