#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::values {

/// Elements of variable length hold places in the heap, and references to new objects those of
/// their headers, which the file on disk does not have before the next flush. So where such
/// elements are overwritten, the data, or each chunk, gets a new place first, with a copy of what
/// it holds; what the file has stays as it is until then.
///
/// Nor do all contiguous data have a place: other programs give them one when they are first
/// written.
///
/// Is that so of what is written now? The same on all ranks.
[[nodiscard]] bool needs_new_place(Node& dataset);

class RenewedPlaces {
 public:
  explicit RenewedPlaces(FileState& file) : file_(file) {}

  /// This rank will write these elements.
  void want(Node& dataset, const BoundSelection& selection);
  /// Of what any rank wants, each copies a part. @collective
  void renew_together();
  /// Of what all ranks want alike. Rank 0 copies; its error waits for the next flush. @same
  void renew_equally();

 private:
  struct Move {
    Node* dataset;
    std::uint64_t chunk;
    Address from;
    Address to{};
    std::uint64_t size;
  };

  void gather();
  [[nodiscard]] std::vector<Move> moves() const;
  void copy(const Move& move) const;
  void adopt(const std::vector<Move>& moves) const;

  FileState& file_;
  /// By whether it is new, and Node::identity(): the numbers of chunks, of contiguous data 0.
  std::map<std::pair<bool, std::uint64_t>, std::vector<std::uint64_t>> wanted_;
};

/// Before all ranks write their elements of variable length. @collective
void renew_places_together(Node& dataset, const BoundSelection& selection);

}  // namespace onecast::values
