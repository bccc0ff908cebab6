#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::values {

/// Returns true if a write to the dataset needs a new place first. Equal on all ranks.
///
/// Elements of variable length contain places in the heap, and references to new objects contain
/// places of headers; the file on disk has neither before the next flush. Where such elements are
/// overwritten, the data, or each chunk, first gets a new place with a copy of its contents; the
/// file keeps the old data until the flush.
///
/// Contiguous data may also have no place at all: other programs allocate it at the first write.
[[nodiscard]] bool needs_new_place(Node& dataset);

class RenewedPlaces {
 public:
  explicit RenewedPlaces(FileState& file) : file_(file) {}

  /// Notes that this rank will write these elements.
  void want(Node& dataset, const BoundSelection& selection);
  /// Renews what any rank wants; each rank copies a part. @collective
  void renew_together();
  /// Renews what all ranks want alike. Rank 0 copies; the next flush throws its error. @same
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
  void note_new_places(const std::vector<Move>& moves) const;

  FileState& file_;
  /// The chunks of each dataset, by whether it is new and by Node::identity(); the number is 0
  /// for contiguous data.
  std::map<std::pair<bool, std::uint64_t>, std::vector<std::uint64_t>> wanted_;
};

/// Call it before all ranks write their elements of variable length. @collective
void renew_places_together(Node& dataset, const BoundSelection& selection);

}  // namespace onecast::values
