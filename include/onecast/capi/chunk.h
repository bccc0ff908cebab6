#ifndef ONECAST_CAPI_CHUNK_H
#define ONECAST_CAPI_CHUNK_H

#include "onecast/capi/dataset.h"

ONECAST_BEGIN_C

/// Chunks as they are stored, behind the filters: for programs that filter by themselves, or that
/// move data without decoding it. `start`: the coordinates of a chunk's first element, as many as
/// the dataset has dimensions. All are @independent. Errors: INVALID_ARGUMENT (not chunked; no
/// first element of a chunk), IO, STATE, FORMAT, UNSUPPORTED.

/// Of a chunk that this rank has changed, and keeps until the next flush.
#define ONECAST_NOT_IN_FILE UINT64_MAX

/// Where a chunk lies that was written.
typedef struct onecast_stored_chunk {
  uint64_t start[ONECAST_MAX_RANK];
  uint64_t size;         ///< bytes, as stored
  uint64_t address;      ///< in the file; ONECAST_NOT_IN_FILE: size and mask are told by read_chunk
  uint32_t filter_mask;  ///< bit n set: filter n of the dataset was not applied
} onecast_stored_chunk;

/// The chunks that were written, in C order. Given back by onecast_free(*chunks); NULL if there are
/// none.
ONECAST_API onecast_status onecast_dataset_list_chunks(const onecast_object* dataset, size_t* count,
                                                       onecast_stored_chunk** chunks);
/// @param exists 1, or 0 if nobody wrote to it; `chunk` then stays as it is
ONECAST_API onecast_status onecast_dataset_find_chunk(const onecast_object* dataset,
                                                      const uint64_t* start, int* exists,
                                                      onecast_stored_chunk* chunk);
/// `*data` is given back by onecast_free(*data). Errors also: NOT_FOUND (nobody wrote to it).
ONECAST_API onecast_status onecast_dataset_read_chunk(const onecast_object* dataset,
                                                      const uint64_t* start, size_t* size,
                                                      void** data, uint32_t* filter_mask);
/// Writes a whole chunk that the caller has filtered: `data` is what the dataset's filters would
/// have made of it, but for those in `filter_mask`. Without filters `size` is that of a chunk, also
/// at the edge of the dataset. Other ranks see it when they see what onecast_dataset_write writes.
ONECAST_API onecast_status onecast_dataset_write_chunk(onecast_object* dataset,
                                                       const uint64_t* start, const void* data,
                                                       size_t size, uint32_t filter_mask);

ONECAST_END_C

#endif
