#ifndef ONECAST_CAPI_PENDING_H
#define ONECAST_CAPI_PENDING_H

#include "onecast/capi/dataset.h"
#include "onecast/capi/multi.h"

ONECAST_BEGIN_C

/// A call that was begun, and may go on while the program computes. The calls of a file are carried
/// out in the order they were begun, by a thread of Onecast's; on ranks of MPI only if that was
/// initialized with MPI_THREAD_MULTIPLE, else before the function returns. Any other call on the
/// file waits for all that were begun, but for asking a dataset for its type and space, and for
/// beginning the next.
///
///     onecast_pending* pending = NULL;
///     onecast_dataset_write_all_async(dataset, NULL, ONECAST_DOUBLE, data, sizeof data, &pending);
///     compute();
///     onecast_pending_wait(&pending);
///
/// What such a function returns is whether the call was begun; the errors of a @collective call,
/// wrong arguments included, are those of onecast_pending_wait. `out` and `data` are Onecast's
/// until then.
typedef struct onecast_pending onecast_pending;

/// Begin onecast_dataset_read, and so on. @independent
ONECAST_API onecast_status onecast_dataset_read_async(const onecast_object* dataset,
                                                      const onecast_part* part,
                                                      const onecast_type* memory_type, void* out,
                                                      size_t size, onecast_pending** pending);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_read_all_async(const onecast_object* dataset,
                                                          const onecast_part* part,
                                                          const onecast_type* memory_type,
                                                          void* out, size_t size,
                                                          onecast_pending** pending);
/// @independent
ONECAST_API onecast_status onecast_dataset_write_async(onecast_object* dataset,
                                                       const onecast_part* part,
                                                       const onecast_type* memory_type,
                                                       const void* data, size_t size,
                                                       onecast_pending** pending);
/// @collective @local
ONECAST_API onecast_status onecast_dataset_write_all_async(onecast_object* dataset,
                                                           const onecast_part* part,
                                                           const onecast_type* memory_type,
                                                           const void* data, size_t size,
                                                           onecast_pending** pending);
/// @collective @same; does not communicate
ONECAST_API onecast_status onecast_dataset_write_equal_async(onecast_object* dataset,
                                                             const onecast_part* part,
                                                             const onecast_type* memory_type,
                                                             const void* data, size_t size,
                                                             onecast_pending** pending);
/// The list is copied; the memory that it names is Onecast's until then. @collective @local
ONECAST_API onecast_status onecast_file_write_multi_async(onecast_file* file, size_t count,
                                                          const onecast_write_request* requests,
                                                          onecast_pending** pending);
/// Likewise. @collective @local
ONECAST_API onecast_status onecast_file_read_multi_async(const onecast_file* file, size_t count,
                                                         const onecast_read_request* requests,
                                                         onecast_pending** pending);
/// @collective
ONECAST_API onecast_status onecast_file_flush_async(onecast_file* file, onecast_pending** pending);

/// Waits for the call, returns what became of it, and gives the handle back. NULL is done.
/// @independent
ONECAST_API onecast_status onecast_pending_wait(onecast_pending** pending);
/// Would that return at once? @independent
ONECAST_API onecast_status onecast_pending_is_done(const onecast_pending* pending, int* is_done);
/// Waits, and gives the handle back; the next flush or close tells of an error. @independent
ONECAST_API void onecast_pending_free(onecast_pending** pending);

ONECAST_END_C

#endif
