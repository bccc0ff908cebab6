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

/// Sends the parts of new filtered chunks from the ranks that write them to the chunks' owners.
namespace onecast::together {

/// Consecutive chunks of a list whose parts are exchanged at once.
struct ExchangeWindow {
  std::size_t first, last;
  bool has_shared = false;  ///< false: there is nothing to exchange
};

/// Returns as few windows as possible in which no rank sends or receives more than `most` bytes,
/// unless one chunk takes more. Equal on all ranks.
std::vector<ExchangeWindow> exchange_windows(std::span<const WrittenChunk> chunks, int ranks,
                                             std::uint64_t most);

/// Packs, for each rank, this rank's parts of the chunks of the window that the other rank owns:
/// for each chunk its index in the list, and its runs.
std::vector<std::vector<std::byte>> pack_parts_for_others(std::span<const WrittenChunk> chunks,
                                                          const ExchangeWindow& window,
                                                          const CommunicatorBackend& comm);

/// The parts that pack_parts_for_others() packed on all ranks, by chunk and rank.
class ReceivedParts {
 public:
  /// The caller keeps the `messages` of all ranks.
  explicit ReceivedParts(std::span<const std::vector<std::byte>> messages);
  /// Copies what `rank` sent of the chunk with this index in the list into the image. Does nothing
  /// if the rank sent nothing, which means that it failed and reports its error.
  void copy(std::size_t chunk, int rank, std::size_t element, std::span<std::byte> image) const;

 private:
  struct Runs {
    std::uint64_t count;
    Unpacker packed;
  };
  std::map<std::pair<std::uint64_t, int>, Runs> runs_;
};

}  // namespace onecast::together
