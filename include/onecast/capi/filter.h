#ifndef ONECAST_CAPI_FILTER_H
#define ONECAST_CAPI_FILTER_H

#include "onecast/capi/status.h"

ONECAST_BEGIN_C

#define ONECAST_MAX_CLIENT_DATA 16

/// A filter for the chunks of a new dataset. The functions below make one; a program may also set
/// its members to the values that the HDF5 library and its plugins take. onecast_dataset_create
/// reports invalid values.
typedef struct onecast_filter {
  uint16_t id;   ///< number in the public registry of filters
  int optional;  ///< 1: a chunk that the filter cannot make smaller is stored without it
  size_t client_data_count;
  uint32_t client_data[ONECAST_MAX_CLIENT_DATA];
} onecast_filter;

/// @param level 0 to 9 (smallest) @independent
ONECAST_API onecast_filter onecast_filter_deflate(uint32_t level);
ONECAST_API onecast_filter onecast_filter_shuffle(void);
ONECAST_API onecast_filter onecast_filter_fletcher32(void);
/// @param nearest_neighbour 1: nearest neighbour, 0: entropy coding
/// @param pixels_per_block an even number from 2 to 32 @independent
ONECAST_API onecast_filter onecast_filter_szip(int nearest_neighbour, uint32_t pixels_per_block);
/// @independent
ONECAST_API onecast_filter onecast_filter_nbit(void);
/// Scale-offset for integers. @param bits the bits of a stored value; 0: as many as each chunk
/// needs. With fewer, values may be lost @independent
ONECAST_API onecast_filter onecast_filter_scale_offset(uint32_t bits);
/// Scale-offset for floating-point numbers, which are rounded. @param decimals the number of digits
/// kept after the decimal point @independent
ONECAST_API onecast_filter onecast_filter_scale_offset_decimal(uint32_t decimals);
/// @independent
ONECAST_API onecast_filter onecast_filter_lzf(void);
/// @param block_bytes 0: 1 GiB @independent
ONECAST_API onecast_filter onecast_filter_lz4(uint32_t block_bytes);
/// @param level 1 to 22 (smallest) @independent
ONECAST_API onecast_filter onecast_filter_zstd(uint32_t level);
/// @param level 1 to 9 @independent
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
/// @param level 0 to 9 @independent
ONECAST_API onecast_filter onecast_filter_blosc(onecast_blosc_codec codec, uint32_t level,
                                                onecast_blosc_shuffle shuffle);

typedef enum onecast_bitshuffle_codec ONECAST_AS_INT {
  ONECAST_BITSHUFFLE_NONE = 0,
  ONECAST_BITSHUFFLE_LZ4 = 2,
  ONECAST_BITSHUFFLE_ZSTD = 3
} onecast_bitshuffle_codec;
/// @param block_elements a multiple of 8; 0: 8 KiB @param level the level of zstd, 1 to 22
/// @independent
ONECAST_API onecast_filter onecast_filter_bitshuffle(onecast_bitshuffle_codec codec,
                                                     uint32_t block_elements, uint32_t level);

// --- by name -----------------------------------------------------------------------------------

/// Returns the filter with this name ("zstd"), or with this name in h5py ("gzip"). Required
/// parameters that are not given get their defaults, in front of `client_data`. An unknown name is
/// an error that lists the known names. @independent
ONECAST_API onecast_status onecast_filter_named(const char* name, const uint32_t* client_data,
                                                size_t client_data_count, onecast_filter* filter);

/// A filter that this process can decode, or one of Onecast's own that it cannot because Onecast
/// was built without the filter's library.
typedef struct onecast_known_filter {
  uint16_t id;
  int decodes;            ///< 0: Onecast was built without the filter's library
  int encodes;            ///< 1: this process can also encode with it
  const char* name;       ///< for a registered filter, the registered name
  const char* h5py_name;  ///< h5py's name if it differs; else NULL
} onecast_known_filter;
/// Lists Onecast's own filters by number, then those registered in this process. The caller frees
/// the list with one onecast_free(*filters). @independent
ONECAST_API onecast_status onecast_known_filters(onecast_known_filter** filters, size_t* count);

/// A parameter of a filter.
typedef struct onecast_filter_parameter {
  const char* name;
  size_t position;    ///< its index in client_data
  int64_t otherwise;  ///< the default
  int64_t least;      ///< if negative, the value is a signed 32-bit number
  int64_t most;
} onecast_filter_parameter;
/// Lists the parameters of the filter of that name; NULL and 0 if it has none or is a registered
/// filter. The caller frees the list with one onecast_free(*parameters). @independent
ONECAST_API onecast_status onecast_filter_parameters(const char* name,
                                                     onecast_filter_parameter** parameters,
                                                     size_t* count);

// --- filters of your own ------------------------------------------------------------------------

/// One chunk for a registered filter. It is valid only during the call.
typedef struct onecast_filter_input {
  const void* bytes;  ///< decoding: bytes of the file, not to be trusted
  size_t size;
  const uint32_t* client_data;
  size_t client_data_count;
  size_t max_size;  ///< a result larger than this is refused
} onecast_filter_input;

/// Receives the result of a filter function.
typedef struct onecast_filter_output onecast_filter_output;
/// Returns room for a result of exactly `size` bytes; NULL if there is no memory. A second call
/// replaces the first. @independent
ONECAST_API void* onecast_filter_room(onecast_filter_output* output, size_t size);

/// Filters or decodes a chunk. Returns 0 on success; any other number becomes an error that names
/// file, chunk and filter. Several threads may call the function at the same time. It must not use
/// the file for which it is called.
typedef int (*onecast_filter_function)(void* user, const onecast_filter_input* input,
                                       onecast_filter_output* output);

/// Registers a filter in this process: `decode` reads chunks of filter `id`, `encode` writes them.
/// Equal bytes must always be encoded equally. A second registration of an `id` replaces the first.
/// `id` is at least 256 and not that of one of Onecast's own filters. With several ranks, register
/// the filter on all of them.
/// @param name used in messages
/// @param encode NULL: the filter can only decode
/// @param user passed to both functions @independent
ONECAST_API onecast_status onecast_register_filter(uint16_t id, const char* name,
                                                   onecast_filter_function decode,
                                                   onecast_filter_function encode, void* user);
/// Removes a registration. @param had_one NULL, or set to 1 if there was one @independent
ONECAST_API onecast_status onecast_unregister_filter(uint16_t id, int* had_one);

ONECAST_END_C

#endif
