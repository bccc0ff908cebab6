#ifndef ONECAST_CAPI_PENDING_H
#define ONECAST_CAPI_PENDING_H

#include "onecast/capi/dataset.h"
#include "onecast/capi/multi.h"

ONECAST_BEGIN_C

/// A call that was begun and may run while the program computes. A thread of Onecast carries out
/// the calls of a file in the order in which they were begun. With MPI this needs
/// MPI_THREAD_MULTIPLE; otherwise the call is complete when the function returns. Any other call on
/// the file waits for all calls that were begun before it. Exceptions: asking a dataset for its
/// type or space, and beginning another call.
///
///     onecast_pending* pending = NULL;
///     onecast_dataset_write_all_async(dataset, NULL, ONECAST_DOUBLE, data, sizeof data, &pending);
///     compute();
///     onecast_pending_wait(&pending);
///
/// The status that such a function returns says whether the call was begun. onecast_pending_wait
/// returns the errors of a @collective call, including invalid arguments. Until then the program
/// must not use `out` and must not change `data`.
typedef struct onecast_pending onecast_pending;

/// Begins the call without _async in its name. @independent
ONECAST_API onecast_status onecast_dataset_read_async(const onecast_object* dataset,
                                                      const onecast_selection* part,
                                                      const onecast_type* memory_type, void* out,
                                                      size_t size, onecast_pending** pending);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_async(const onecast_object* dataset,
                                                          const onecast_selection* part,
                                                          const onecast_type* memory_type,
                                                          void* out, size_t size,
                                                          onecast_pending** pending);
/// @independent
ONECAST_API onecast_status onecast_dataset_write_async(onecast_object* dataset,
                                                       const onecast_selection* part,
                                                       const onecast_type* memory_type,
                                                       const void* data, size_t size,
                                                       onecast_pending** pending);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all_async(onecast_object* dataset,
                                                           const onecast_selection* part,
                                                           const onecast_type* memory_type,
                                                           const void* data, size_t size,
                                                           onecast_pending** pending);
/// @replicated
ONECAST_API onecast_status onecast_dataset_write_equal_async(onecast_object* dataset,
                                                             const onecast_selection* part,
                                                             const onecast_type* memory_type,
                                                             const void* data, size_t size,
                                                             onecast_pending** pending);
/// Begins onecast_file_write_multi. The list is copied; the memory to which it points must not be
/// changed until the call is complete. @collective @local
ONECAST_API onecast_status onecast_file_write_multi_async(onecast_file* file, size_t count,
                                                          const onecast_write_request* requests,
                                                          onecast_pending** pending);
/// Begins onecast_file_read_multi. The list is copied; the memory to which it points must not be
/// used until the call is complete. @collective @local
ONECAST_API onecast_status onecast_file_read_multi_async(const onecast_file* file, size_t count,
                                                         const onecast_read_request* requests,
                                                         onecast_pending** pending);
/// Begin onecast_file_write_multi_own and onecast_file_read_multi_own. @collective @local
ONECAST_API onecast_status onecast_file_write_multi_own_async(onecast_file* file, size_t count,
                                                              const onecast_write_request* requests,
                                                              onecast_pending** pending);
ONECAST_API onecast_status onecast_file_read_multi_own_async(const onecast_file* file, size_t count,
                                                             const onecast_read_request* requests,
                                                             onecast_pending** pending);
/// @collective
ONECAST_API onecast_status onecast_file_flush_async(onecast_file* file, onecast_pending** pending);

/// Waits for the call, returns its status, and releases the handle. For NULL it returns ONECAST_OK.
/// @independent
ONECAST_API onecast_status onecast_pending_wait(onecast_pending** pending);
/// Sets `is_done` to 1 if onecast_pending_wait would return at once, else to 0. @independent
ONECAST_API onecast_status onecast_pending_is_done(const onecast_pending* pending, int* is_done);
/// Waits for the call and releases the handle. The next flush or close reports an error of the
/// call. @independent
ONECAST_API void onecast_pending_free(onecast_pending** pending);

ONECAST_END_C

#endif
