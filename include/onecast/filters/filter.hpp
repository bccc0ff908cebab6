#pragma once

#include <cstdint>
#include <vector>

#include "onecast/base/language.hpp"

namespace onecast {

/// A filter for the chunks of a new dataset, as the user requests it. Parameters that depend on the
/// dataset, such as the size of its elements, are added when the dataset is created.
///
/// The functions do not communicate and throw only std::bad_alloc. Creating the dataset throws
/// Error (invalid_argument) if the parameters are not valid or the filter cannot be applied to the
/// datatype. @independent
struct Filter {
  /// "Filter Identification Value" of the specification, or a number of the public registry of
  /// filters.
  std::uint16_t id = 0;
  /// True: a chunk that the filter cannot make smaller, or on which the filter fails, is stored
  /// without the filter. False: writing such a chunk throws Error.
  bool optional = true;
  /// The user's parameters, as the HDF5 library and its plugins take them.
  std::vector<std::uint32_t> client_data;

  /// Deflate, the compression of zlib. @param level 0 (no compression) to 9 (smallest)
  static Filter deflate(std::uint32_t level = 6);
  /// Shuffle: the first bytes of all elements, then their second bytes, and so on. Compressors work
  /// better after it.
  static Filter shuffle();
  /// Fletcher32: a checksum of each chunk, verified when the chunk is read.
  static Filter fletcher32();

  /// The coding of szip: with prediction from the preceding value (nearest_neighbour), or without.
  enum class Szip : std::uint8_t { nearest_neighbour, entropy_coding };
  /// Szip, for numbers. @param pixels_per_block even, 2 to 32
  static Filter szip(Szip coding = Szip::nearest_neighbour, std::uint32_t pixels_per_block = 8);

  /// N-bit: removes the bits that are not significant according to the datatype.
  static Filter nbit();
  /// Scale-offset for integers: stores differences from the smallest value of the chunk. @param
  /// bits the bits of a difference; 0: as many as each chunk needs. With fewer, values are lost
  static Filter scale_offset(std::uint32_t bits = 0);
  /// Scale-offset for floating-point numbers: rounds them to `decimals` digits after the decimal
  /// point, then stores differences from the smallest value of the chunk.
  static Filter scale_offset_decimal(std::uint32_t decimals);

  /// LZF, a fast compressor.
  static Filter lzf();
  /// LZ4, a fast compressor. @param block_bytes size of the blocks that are compressed separately;
  /// 0: 1 GiB
  static Filter lz4(std::uint32_t block_bytes = 0);
  /// Zstandard. @param level 1 (fastest) to 22 (smallest)
  static Filter zstd(std::uint32_t level = 3);

  /// The compressor and the shuffle of Blosc. The values are those of its plugin.
  enum class BloscCodec : std::uint8_t { blosclz = 0, lz4 = 1, lz4hc = 2, zlib = 4, zstd = 5 };
  enum class BloscShuffle : std::uint8_t { none = 0, bytes = 1, bits = 2 };
  /// Blosc. @param level 0 (no compression) to 9 (smallest)
  static Filter blosc(BloscCodec codec = BloscCodec::lz4, std::uint32_t level = 5,
                      BloscShuffle shuffle = BloscShuffle::bytes);

  /// The compressor of bitshuffle. The values are those of its plugin.
  enum class BitshuffleCodec : std::uint8_t { none = 0, lz4 = 2, zstd = 3 };
  /// Bitshuffle: the first bits of all elements of a block, then their second bits, and so on.
  /// @param block_elements a multiple of 8; 0: blocks of 8 KiB
  /// @param level the level of zstd, 1 to 22
  static Filter bitshuffle(BitshuffleCodec codec = BitshuffleCodec::lz4,
                           std::uint32_t block_elements = 0, std::uint32_t level = 3);

  /// Bzip2. @param level 1 (blocks of 100 kB) to 9 (900 kB)
  static Filter bzip2(std::uint32_t level = 9);

  friend bool operator==(const Filter&, const Filter&) = default;
};

}  // namespace onecast
