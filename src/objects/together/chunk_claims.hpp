#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/packer.hpp"
#include "objects/values/writing_turns.hpp"

namespace onecast::together {

/// The size of a chunk's stored form, and its filter mask.
struct StoredForm {
  std::uint64_t size = 0;
  std::uint32_t filter_mask = 0;
};

/// The claim of a rank that has a chunk in memory.
struct Claim {
  int rank = 0;
  StoredForm form;
  bool is_of_all = false;  ///< the rank keeps what all ranks gave
  bool is_own = false;     ///< the rank wrote to it independently
  Interval own{0, 0};      ///< the range of all bytes that the rank wrote, if is_own
  StoredForm of_all;       ///< the chunk without the independent writes, if both
  /// Returns true if the dataset has shrunk and the chunk is cut, without any write to it.
  [[nodiscard]] bool is_only_cut() const { return !is_of_all && !is_own; }
};

struct ClaimedChunk {
  std::vector<Claim> claims;  ///< by rank; the first one writes the whole chunk
  Address place;              ///< defined if there is a claim
  /// The form of the pending chunk that is stored.
  enum class Stored : std::uint8_t { pending, of_all, laid_over } stored = Stored::pending;
};

struct ClaimedDataset {
  Node* node;
  std::map<std::uint64_t, ClaimedChunk> chunks;
};

/// The pending chunks of all ranks, and which rank writes them; equal on all ranks.
struct ChunkClaims {
  std::map<std::uint64_t, ClaimedDataset> datasets;  ///< by Node::identity()
  /// The parts of shared chunks, except those of the ranks that write whole chunks.
  std::vector<WrittenBox> parts;
  /// A filtered chunk that all ranks gave, kept by the rank of the first claim, and to which `rank`
  /// wrote independently.
  struct LaidOver {
    const ClaimedDataset* dataset;
    std::uint64_t number;
    ClaimedChunk* chunk;
    int rank;
  };
  std::vector<LaidOver> laid_over;
  /// A filtered chunk to which two ranks wrote independently.
  struct Conflict {
    const ClaimedDataset* dataset;
    std::uint64_t number;
    std::array<int, 2> ranks;
  };
  std::vector<Conflict> conflicts;
  bool any_failed = false;  ///< true if a rank could not encode one of its chunks
};

/// This rank's claims, for `merge_claims`. Chunks that it cannot encode stay pending: everything
/// else is stored, and the next flush tries again.
struct OwnClaims {
  std::vector<std::byte> packed;
  std::exception_ptr failure;  ///< the error of the first chunk that could not be encoded
};
OwnClaims claim_chunks(FileState& file, std::span<Node* const> edited);
bool cannot_be_encoded(const PendingChunk& chunk);
void pack(Packer& packer, const WaitingChunk& chunk);
StoredForm unpack_form(Unpacker& unpacker);

/// Returns true if a rank may have independent writes that another must lay over what all ranks
/// gave, which is rare.
bool may_lay_over(std::span<const std::vector<std::byte>> of_ranks);
ChunkClaims merge_claims(FileState& file, std::span<const std::vector<std::byte>> of_ranks);
/// Returns an Error that names the chunks; null if there are none.
std::exception_ptr error_of(std::span<const ChunkClaims::Conflict> conflicts);

}  // namespace onecast::together
