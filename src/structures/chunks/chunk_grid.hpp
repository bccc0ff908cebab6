#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/address.hpp"
#include "base/file_context.hpp"
#include "base/namespaces.hpp"
#include "format/objects/data_layout_message.hpp"

namespace onecast::structures {

/// The index of a chunk in each dimension; the first `rank` are set.
using ChunkCoordinates = std::array<std::uint64_t, kMaxRank>;

/// The division of a dataset into chunks.
struct ChunkGrid {
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  /// If `max_shape` is empty, it is `shape`. Elements have `element_size` bytes. Throws Error
  /// (format), naming the layout message, if a chunk has more than 2^63 bytes.
  ChunkGrid(const DataLayoutMessage& layout, std::span<const std::uint64_t> shape,
            std::span<const std::uint64_t> max_shape, std::uint64_t element_size, Address message,
            const FileContext& file);

  /// True if at least a part of the chunk lies inside the extent.
  [[nodiscard]] bool contains(const ChunkCoordinates& at) const {
    for (unsigned d = 0; d < rank; ++d)
      if (at[d] >= count[d]) return false;
    return true;
  }
  /// The number of a chunk, in C order, among those inside the extent.
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
  /// True if the chunk reaches beyond the extent.
  [[nodiscard]] bool is_partial(const ChunkCoordinates& at) const {
    for (unsigned d = 0; d < rank; ++d)
      if (extent[d] - at[d] * chunk[d] < chunk[d]) return true;
    return false;
  }

  unsigned rank;
  std::uint64_t bytes;         ///< in a whole chunk
  std::uint64_t total = 1;     ///< the chunks inside the extent
  ChunkCoordinates chunk;      ///< the shape of a chunk, in elements
  ChunkCoordinates extent;     ///< the shape of the dataset, in elements
  ChunkCoordinates count;      ///< the chunks inside the extent, in each dimension
  ChunkCoordinates max_count;  ///< the most chunks that there may ever be, or kUnlimited
};

/// The chunks from `first` to `last`, both included, in each dimension.
struct ChunkBox {
  ChunkCoordinates first;
  ChunkCoordinates last;
};

}  // namespace onecast::structures
