#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/storage/edited_chunks.hpp"
#include "objects/tree/file_state.hpp"
#include "objects/values/writing_turns.hpp"

namespace onecast::together {

/// A chunk that a rank has in memory.
struct Claim {
  int rank = 0;
  std::uint64_t size = 0;  ///< as it will be stored
  std::uint32_t filter_mask = 0;
  bool is_of_all = false;         ///< the rank keeps what all gave
  bool is_own = false;            ///< the rank wrote to it for itself
  Interval own{0, 0};             ///< then: all bytes that it wrote lie there
  std::uint64_t of_all_size = 0;  ///< if both: without what the rank wrote for itself
  std::uint32_t of_all_mask = 0;
  /// Neither: it is cut, as the dataset shrank.
  [[nodiscard]] bool is_only_cut() const { return !is_of_all && !is_own; }
};

struct ClaimedChunk {
  std::vector<Claim> claims;  ///< by rank; the first writes the whole chunk
  std::optional<ChunkSlot> slot;
  /// What of the pending chunk is stored.
  enum class Stored : std::uint8_t { pending, of_all, laid_over } stored = Stored::pending;
};

struct ClaimedDataset {
  Node* node;
  std::map<std::uint64_t, ClaimedChunk> chunks;
};

/// The pending chunks of all ranks, and who writes them: alike on all ranks.
struct ChunkClaims {
  std::map<std::uint64_t, ClaimedDataset> datasets;  ///< by Node::identity()
  std::vector<WrittenBox> parts;  ///< of shared chunks, but for the ranks that write them whole
  /// A filtered chunk that all ranks gave, of the rank that has the first claim, and `rank` wrote
  /// to.
  struct LaidOver {
    const ClaimedDataset* dataset;
    std::uint64_t number;
    ClaimedChunk* chunk;
    int rank;
  };
  std::vector<LaidOver> laid_over;
  /// A filtered chunk that two ranks wrote to for themselves.
  struct Conflict {
    const ClaimedDataset* dataset;
    std::uint64_t number;
    std::array<int, 2> ranks;
  };
  std::vector<Conflict> conflicts;
  bool any_failed = false;  ///< a rank could not encode one of its chunks
};

/// What this rank has, for `merge_claims`. Chunks that it cannot encode stay pending: all else is
/// stored, and the next flush tries again.
struct OwnClaims {
  std::vector<std::byte> packed;
  std::exception_ptr failure;  ///< the first chunk that could not be encoded
};
OwnClaims claim_chunks(FileState& file, std::span<Node* const> edited);
bool cannot_be_encoded(const PendingChunk& chunk);

/// May a rank have what another must lay over what all gave? Most of the time none has.
bool may_lay_over(std::span<const std::vector<std::byte>> of_ranks);
ChunkClaims merge_claims(FileState& file, std::span<const std::vector<std::byte>> of_ranks);
/// An Error that names the chunks; null if there are none.
std::exception_ptr error_of(std::span<const ChunkClaims::Conflict> conflicts);

}  // namespace onecast::together
