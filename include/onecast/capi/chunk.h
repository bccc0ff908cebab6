#ifndef ONECAST_CAPI_CHUNK_H
#define ONECAST_CAPI_CHUNK_H

#include "onecast/capi/dataset.h"

ONECAST_BEGIN_C

/// Chunks in their stored form, after the filters, for programs that filter chunks themselves or
/// move data without decoding it. `start` holds the coordinates of a chunk's first element, one for
/// each dimension of the dataset. All functions are @independent. Errors: INVALID_ARGUMENT (not
/// chunked, or `start` is not the first element of a chunk), IO, STATE, FORMAT, UNSUPPORTED.

/// The address of a chunk that this rank has changed and keeps in memory until the next flush.
#define ONECAST_NOT_IN_FILE UINT64_MAX

/// The position of a written chunk.
typedef struct onecast_stored_chunk {
  uint64_t start[ONECAST_MAX_RANK];
  uint64_t size;     ///< bytes, as stored
  uint64_t address;  ///< ONECAST_NOT_IN_FILE: only onecast_dataset_read_chunk returns size and mask
  uint32_t filter_mask;  ///< bit n set: filter n of the dataset was not applied
} onecast_stored_chunk;

/// Lists the chunks that were written, in C order. The caller frees the list with
/// onecast_free(*chunks); NULL if there are none.
ONECAST_API onecast_status onecast_dataset_list_chunks(const onecast_object* dataset, size_t* count,
                                                       onecast_stored_chunk** chunks);
/// Finds the chunk that begins at `start`. @param exists set to 1; if the chunk was never written,
/// set to 0, and `chunk` is left unchanged
ONECAST_API onecast_status onecast_dataset_find_chunk(const onecast_object* dataset,
                                                      const uint64_t* start, int* exists,
                                                      onecast_stored_chunk* chunk);
/// Reads a chunk in its stored form. The caller frees the bytes with onecast_free(*data). Also
/// fails with NOT_FOUND (the chunk was never written).
ONECAST_API onecast_status onecast_dataset_read_chunk(const onecast_object* dataset,
                                                      const uint64_t* start, size_t* size,
                                                      void** data, uint32_t* filter_mask);
/// Writes a whole chunk that the caller has filtered: `data` is the result of the dataset's
/// filters, without those in `filter_mask`. Without filters `size` is the size of a whole chunk,
/// also at the edge of the dataset. Other ranks see the chunk when they would see the elements of
/// an onecast_dataset_write.
ONECAST_API onecast_status onecast_dataset_write_chunk(onecast_object* dataset,
                                                       const uint64_t* start, const void* data,
                                                       size_t size, uint32_t filter_mask);

ONECAST_END_C

#endif
