#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/wanted_chunks.hpp"

namespace onecast::together {

/// The chunks of which some are wanted by several ranks, of all datasets of a call one behind the
/// other: each at a position, the same on all ranks. Those between two positions have no more bytes
/// than that, but for the one that ends behind.
class ChunkPositions {
 public:
  ChunkPositions() = default;
  /// What all ranks want of each dataset.
  explicit ChunkPositions(std::span<const WantedChunks> wanted);

  [[nodiscard]] bool empty() const { return end_ == 0; }
  /// The end of the last one.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  /// Are some of this dataset shared?
  [[nodiscard]] bool has(std::size_t dataset) const {
    return dataset < datasets_.size() && datasets_[dataset].step != 0;
  }
  [[nodiscard]] std::uint64_t of(std::size_t dataset, std::uint64_t number) const {
    const Positions& its = datasets_[dataset];
    return its.begin + (number - its.first) * its.step;
  }

 private:
  struct Positions {
    std::uint64_t first = 0;  ///< number of a chunk
    std::uint64_t step = 0;   ///< from one to the next; 0: none is shared
    std::uint64_t begin = 0;
  };

  std::vector<Positions> datasets_;
  std::uint64_t end_ = 0;
};

}  // namespace onecast::together
