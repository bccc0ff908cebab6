#pragma once

#include <cstdint>
#include <vector>

namespace onecast {

/// One filter that the chunks of a new dataset pass through, as the user asks for it. What depends
/// on the dataset, such as the size of its elements, is added when it is created.
///
/// Nothing here communicates, and the functions throw nothing but std::bad_alloc: creating the
/// dataset throws Error (invalid_argument) if the parameters are not valid, or the filter cannot be
/// applied to the datatype. @independent
struct Filter {
  /// "Filter Identification Value" of the specification, or a number of the public registry of
  /// filters.
  std::uint16_t id = 0;
  /// A chunk that the filter cannot make smaller, or fails on, is stored without it; else writing
  /// that chunk throws Error.
  bool optional = true;
  /// The user's parameters, as the HDF5 library and its plugins take them.
  std::vector<std::uint32_t> client_data;

  /// Deflate, as zlib does. @param level 0 (stored as it is) to 9 (smallest)
  static Filter deflate(std::uint32_t level = 6);
  /// The first bytes of all elements, then the second ones, and so on: others compress better
  /// behind it.
  static Filter shuffle();
  /// A checksum of each chunk, which is compared when it is read.
  static Filter fletcher32();

  /// How szip predicts: from the value before, or not at all.
  enum class Szip : std::uint8_t { nearest_neighbour, entropy_coding };
  /// Szip, of numbers. @param pixels_per_block even, 2 to 32
  static Filter szip(Szip coding = Szip::nearest_neighbour, std::uint32_t pixels_per_block = 8);

  /// Leaves out the bits that the datatype says are not significant.
  static Filter nbit();
  /// Integers as differences to the least of the chunk. @param bits of a difference; 0: as many as
  /// each chunk needs. With fewer than that, values are lost.
  static Filter scale_offset(std::uint32_t bits = 0);
  /// Floating-point numbers, rounded to `decimals` places behind the point, as differences to the
  /// least of the chunk.
  static Filter scale_offset_decimal(std::uint32_t decimals);

  /// LZF: fast.
  static Filter lzf();
  /// LZ4: fast. @param block_bytes compressed by themselves; 0: 1 GiB
  static Filter lz4(std::uint32_t block_bytes = 0);
  /// Zstandard. @param level 1 (fastest) to 22 (smallest)
  static Filter zstd(std::uint32_t level = 3);

  /// What Blosc compresses with, and rearranges by; the numbers of its plugin.
  enum class BloscCodec : std::uint8_t { blosclz = 0, lz4 = 1, lz4hc = 2, zlib = 4, zstd = 5 };
  enum class BloscShuffle : std::uint8_t { none = 0, bytes = 1, bits = 2 };
  /// Blosc. @param level 0 (stored as it is) to 9 (smallest)
  static Filter blosc(BloscCodec codec = BloscCodec::lz4, std::uint32_t level = 5,
                      BloscShuffle shuffle = BloscShuffle::bytes);

  /// What bitshuffle compresses with; the numbers of its plugin.
  enum class BitshuffleCodec : std::uint8_t { none = 0, lz4 = 2, zstd = 3 };
  /// Bitshuffle: the first bits of all elements of a block, then the second ones, and so on.
  /// @param block_elements a multiple of 8; 0: 8 KiB
  /// @param level of zstd, 1 to 22
  static Filter bitshuffle(BitshuffleCodec codec = BitshuffleCodec::lz4,
                           std::uint32_t block_elements = 0, std::uint32_t level = 3);

  /// Bzip2. @param level 1 (blocks of 100 kB) to 9 (900 kB)
  static Filter bzip2(std::uint32_t level = 9);

  friend bool operator==(const Filter&, const Filter&) = default;
};

}  // namespace onecast
