#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/address.hpp"
#include "base/file_context.hpp"
#include "base/namespaces.hpp"
#include "format/objects/data_layout_message.hpp"

namespace onecast::structures {

/// Which chunk along each dimension; the first `rank` are set.
using ChunkCoordinates = std::array<std::uint64_t, kMaxRank>;

/// How a dataset is divided into chunks.
struct ChunkGrid {
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  /// `max_shape` empty: like `shape`. Elements of `element_size` bytes. Throws Error (format),
  /// naming the layout message, if a chunk has more than 2^63 bytes.
  ChunkGrid(const DataLayoutMessage& layout, std::span<const std::uint64_t> shape,
            std::span<const std::uint64_t> max_shape, std::uint64_t element_size, Address message,
            const FileContext& file);

  /// Is it, at least in part, inside of the extent?
  [[nodiscard]] bool contains(const ChunkCoordinates& at) const {
    for (unsigned d = 0; d < rank; ++d)
      if (at[d] >= count[d]) return false;
    return true;
  }
  /// Its number in C order among those inside of the extent.
  [[nodiscard]] std::uint64_t number(const ChunkCoordinates& at) const {
    std::uint64_t n = 0;
    for (unsigned d = 0; d < rank; ++d) n = n * count[d] + at[d];
    return n;
  }
  [[nodiscard]] ChunkCoordinates coordinates(std::uint64_t number) const {
    ChunkCoordinates at;
    for (unsigned d = rank; d-- > 0; number /= count[d]) at[d] = number % count[d];
    return at;
  }
  /// Does it reach beyond the extent?
  [[nodiscard]] bool is_partial(const ChunkCoordinates& at) const {
    for (unsigned d = 0; d < rank; ++d)
      if (extent[d] - at[d] * chunk[d] < chunk[d]) return true;
    return false;
  }

  unsigned rank;
  std::uint64_t bytes;         ///< of a whole chunk
  std::uint64_t total = 1;     ///< chunks inside of the extent
  ChunkCoordinates chunk;      ///< elements of a chunk
  ChunkCoordinates extent;     ///< elements
  ChunkCoordinates count;      ///< chunks inside of the extent
  ChunkCoordinates max_count;  ///< chunks that may ever be, or kUnlimited
};

/// Chunks from `first` to `last`, both included, in each dimension.
struct ChunkBox {
  ChunkCoordinates first;
  ChunkCoordinates last;
};

}  // namespace onecast::structures
