#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "objects/memory/packer.hpp"
#include "objects/together/chunk_targets.hpp"

/// Parts of new filtered chunks on the way from the ranks that write them to the chunks' owners.
namespace onecast::together {

/// Chunks of a list, one behind the other, whose parts are exchanged at once.
struct ExchangeWindow {
  std::size_t first, last;
  bool has_shared = false;  ///< else there is nothing to exchange
};

/// As few windows as possible in which no rank sends or receives more than `most` bytes, unless a
/// chunk alone takes more. Equal on all ranks.
std::vector<ExchangeWindow> exchange_windows(std::span<const WrittenChunk> chunks, int ranks,
                                             std::uint64_t most);

/// For each rank, this rank's parts of the chunks of the window that the other rank owns: of each
/// chunk its number in the list, and its runs.
std::vector<std::vector<std::byte>> pack_parts_for_others(std::span<const WrittenChunk> chunks,
                                                          const ExchangeWindow& window,
                                                          const CommunicatorBackend& comm);

/// What pack_parts_for_others() packed on all ranks, by chunk and rank.
class ReceivedParts {
 public:
  /// `messages` of all ranks are kept.
  explicit ReceivedParts(std::span<const std::vector<std::byte>> messages);
  /// Copies what `rank` sent of the chunk with this number in the list to its place. Does nothing
  /// if the rank sent nothing: it has failed, and says so.
  void copy(std::size_t chunk, int rank, std::size_t element, std::span<std::byte> image) const;

 private:
  struct Runs {
    std::uint64_t count;
    Unpacker packed;
  };
  std::map<std::pair<std::uint64_t, int>, Runs> runs_;
};

}  // namespace onecast::together
