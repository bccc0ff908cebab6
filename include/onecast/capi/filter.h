#ifndef ONECAST_CAPI_FILTER_H
#define ONECAST_CAPI_FILTER_H

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

#define ONECAST_MAX_CLIENT_DATA 16

/// One filter that the chunks of a new dataset pass through. Made by the functions below, or by
/// hand of the numbers that the HDF5 library and its plugins take. Wrong ones are an error of
/// onecast_dataset_create.
typedef struct onecast_filter {
  uint16_t id;   ///< of the public registry of filters
  int optional;  ///< 1: a chunk that the filter cannot make smaller is stored without it
  size_t client_data_count;
  uint32_t client_data[ONECAST_MAX_CLIENT_DATA];
} onecast_filter;

/// @param level 0 to 9 (smallest) @independent, as all that follow
ONECAST_API onecast_filter onecast_filter_deflate(uint32_t level);
ONECAST_API onecast_filter onecast_filter_shuffle(void);
ONECAST_API onecast_filter onecast_filter_fletcher32(void);
/// @param nearest_neighbour 1, or 0: entropy coding @param pixels_per_block even, 2 to 32
ONECAST_API onecast_filter onecast_filter_szip(int nearest_neighbour, uint32_t pixels_per_block);
ONECAST_API onecast_filter onecast_filter_nbit(void);
/// Of integers. @param bits 0: as many as each chunk needs; else values may be lost
ONECAST_API onecast_filter onecast_filter_scale_offset(uint32_t bits);
/// Of floating-point numbers, rounded to so many places behind the point.
ONECAST_API onecast_filter onecast_filter_scale_offset_decimal(uint32_t decimals);
ONECAST_API onecast_filter onecast_filter_lzf(void);
/// @param block_bytes 0: 1 GiB
ONECAST_API onecast_filter onecast_filter_lz4(uint32_t block_bytes);
/// @param level 1 to 22 (smallest)
ONECAST_API onecast_filter onecast_filter_zstd(uint32_t level);
/// @param level 1 to 9
ONECAST_API onecast_filter onecast_filter_bzip2(uint32_t level);

typedef enum onecast_blosc_codec ONECAST_AS_INT {
  ONECAST_BLOSC_BLOSCLZ = 0,
  ONECAST_BLOSC_LZ4 = 1,
  ONECAST_BLOSC_LZ4HC = 2,
  ONECAST_BLOSC_ZLIB = 4,
  ONECAST_BLOSC_ZSTD = 5
} onecast_blosc_codec;
typedef enum onecast_blosc_shuffle ONECAST_AS_INT {
  ONECAST_BLOSC_NO_SHUFFLE,
  ONECAST_BLOSC_SHUFFLE_BYTES,
  ONECAST_BLOSC_SHUFFLE_BITS
} onecast_blosc_shuffle;
/// @param level 0 to 9
ONECAST_API onecast_filter onecast_filter_blosc(onecast_blosc_codec codec, uint32_t level,
                                                onecast_blosc_shuffle shuffle);

typedef enum onecast_bitshuffle_codec ONECAST_AS_INT {
  ONECAST_BITSHUFFLE_NONE = 0,
  ONECAST_BITSHUFFLE_LZ4 = 2,
  ONECAST_BITSHUFFLE_ZSTD = 3
} onecast_bitshuffle_codec;
/// @param block_elements a multiple of 8; 0: 8 KiB @param level of zstd, 1 to 22
ONECAST_API onecast_filter onecast_filter_bitshuffle(onecast_bitshuffle_codec codec,
                                                     uint32_t block_elements, uint32_t level);

// --- by name -----------------------------------------------------------------------------------

/// The filter of that name ("zstd"), or of that name in h5py ("gzip"). Values that it cannot do
/// without and that are not given are put in front of `client_data`, as they are by default. An
/// unknown name is an error that lists the known ones. @independent
ONECAST_API onecast_status onecast_filter_named(const char* name, const uint32_t* client_data,
                                                size_t client_data_count, onecast_filter* filter);

/// A filter that this process can undo.
typedef struct onecast_known_filter {
  uint16_t id;
  int encodes;            ///< 1: it can be applied, too
  const char* name;       ///< of a registered one as it was registered
  const char* h5py_name;  ///< where h5py calls it otherwise; else NULL
} onecast_known_filter;
/// Onecast's own filters, by their numbers, then those registered in this process. To be given back
/// together by onecast_free(*filters). @independent
ONECAST_API onecast_status onecast_known_filters(onecast_known_filter** filters, size_t* count);

/// A value that a filter takes.
typedef struct onecast_filter_parameter {
  const char* name;
  size_t position;    ///< in client_data
  int64_t otherwise;  ///< what is taken where it is not given
  int64_t least;      ///< below 0: the value is signed, in 32 bits
  int64_t most;
} onecast_filter_parameter;
/// What the filter of that name takes; NULL and 0 if nothing, or of a registered one. To be given
/// back together by onecast_free(*parameters). @independent
ONECAST_API onecast_status onecast_filter_parameters(const char* name,
                                                     onecast_filter_parameter** parameters,
                                                     size_t* count);

// --- filters of your own ------------------------------------------------------------------------

/// One chunk for a registered filter. Nothing of it may be kept.
typedef struct onecast_filter_input {
  const void* bytes;  ///< reading: what the filter wrote, not to be trusted
  size_t size;
  const uint32_t* client_data;
  size_t client_data_count;
  size_t max_size;  ///< a result larger than this is refused
} onecast_filter_input;

/// Takes what a filter makes of a chunk.
typedef struct onecast_filter_output onecast_filter_output;
/// Room for a result of `size` bytes, all of which count; NULL if there is no memory. A second call
/// replaces the first.
ONECAST_API void* onecast_filter_room(onecast_filter_output* output, size_t size);

/// Returns 0, or another number if it cannot: an error that names file, chunk and filter. Called on
/// any thread, by several at once; it must not use the file it is called for.
typedef int (*onecast_filter_function)(void* user, const onecast_filter_input* input,
                                       onecast_filter_output* output);

/// Lets this process read chunks of filter `id`, and write them if there is `encode`, which must
/// make the same of the same bytes, always. A second registration of the same number replaces the
/// first. Numbers from 256 on, but for filters that Onecast has. On several ranks, register on all.
/// @param name for messages @param encode may be NULL @param user given to both @independent
ONECAST_API onecast_status onecast_register_filter(uint16_t id, const char* name,
                                                   onecast_filter_function decode,
                                                   onecast_filter_function encode, void* user);
/// @param had_one NULL, or set to 1 if there was one @independent
ONECAST_API onecast_status onecast_unregister_filter(uint16_t id, int* had_one);

ONECAST_END_C

#endif
