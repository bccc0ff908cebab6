#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "comm/node/node_buffer.hpp"
#include "pages/metadata_store.hpp"

namespace onecast::pages {

/// The memory in which the ranks of a node share the images of a commit: one rank encodes for all.
/// Behind the images is the number that this rank tells the others.
class SharedImages {
 public:
  /// Images begin on pages of memory, so that each can be freed by itself.
  static constexpr std::size_t kAlignment = 4096;

  /// Makes or finds room for `count` images of `bytes` bytes in all; none if copies cost less, or
  /// if the system refuses it.
  void take(NodeFile file, std::uint64_t bytes, std::size_t count);
  [[nodiscard]] bool is_empty() const { return memory_.empty(); }
  /// True if this rank has made the memory, and encodes.
  [[nodiscard]] bool is_made_here() const { return made_here_; }
  /// True if this rank was to make the memory, and the system refused it.
  [[nodiscard]] bool is_refused() const { return made_here_ && memory_.empty(); }
  [[nodiscard]] std::span<std::byte> span() { return memory_.span(); }
  /// Must be called if a rank of any node was refused the memory. If it was the one that was to
  /// make it for this rank, this rank has none from then on: returns true.
  bool give_up_if_refused();
  /// Must be called when all images are encoded. It may move them. Throws std::bad_alloc.
  void seal(std::uint64_t told);
  [[nodiscard]] std::uint64_t told() const;
  /// No further rank looks for the memory.
  void end_offer() { memory_.end_offer(true); }
  /// Ends the offer, and hands over the memory.
  [[nodiscard]] NodeBuffer finish();

 private:
  NodeBuffer memory_;
  NodeOffer offer_;
  bool made_here_ = false;
};

/// Changed pages that this rank keeps for other ranks of its node: these see the new bytes without
/// a copy of their own.
class PagesForNode {
 public:
  void note(const MetadataStore& store, Address address, ByteView image) {
    store.note_kept_for_node(address, image, pages_);
  }
  /// Gives the other ranks the new bytes.
  void renew();
  /// Gives them the old bytes again, if they got new ones. No rank may look at old bytes before.
  /// @collective
  void restore(CommunicatorBackend& comm);

 private:
  std::vector<KeptForNode> pages_;
  bool renewed_ = false;
};

}  // namespace onecast::pages
