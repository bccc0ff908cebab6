#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/wanted_chunks.hpp"

namespace onecast::together {

/// Positions for the chunks of which several ranks want some, of all datasets of a call in
/// sequence; equal on all ranks. The chunks between two positions have at most as many bytes as lie
/// between these, except for the chunk that ends after the second.
class ChunkPositions {
 public:
  ChunkPositions() = default;
  /// Takes what all ranks want of each dataset.
  explicit ChunkPositions(std::span<const WantedChunks> wanted);

  [[nodiscard]] bool empty() const { return end_ == 0; }
  /// Returns the end of the last chunk.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  /// Returns true if chunks of this dataset are shared.
  [[nodiscard]] bool has(std::size_t dataset) const {
    return dataset < datasets_.size() && datasets_[dataset].step != 0;
  }
  [[nodiscard]] std::uint64_t of(std::size_t dataset, std::uint64_t number) const {
    const Positions& its = datasets_[dataset];
    return its.begin + (number - its.first) * its.step;
  }

 private:
  struct Positions {
    std::uint64_t first = 0;  ///< the number of a chunk
    std::uint64_t step = 0;   ///< the distance of two chunks; 0: none is shared
    std::uint64_t begin = 0;
  };

  std::vector<Positions> datasets_;
  std::uint64_t end_ = 0;
};

}  // namespace onecast::together
