#include "objects/together/chunk_positions.hpp"

namespace onecast::together {

ChunkPositions::ChunkPositions(std::span<const WantedChunks> wanted) : datasets_(wanted.size()) {
  // No file has more, and sums of this number do not overflow.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48U;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const WantedChunks& chunks = wanted[i];
    if (!chunks.are_shared() || chunks.last - chunks.first >= kMost / chunks.largest) continue;
    datasets_[i] = {chunks.first, chunks.largest, end_};
    end_ += (chunks.last - chunks.first + 1) * chunks.largest;
  }
}

}  // namespace onecast::together
