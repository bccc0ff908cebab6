#pragma once

#include <cstdint>
#include <span>

#include "base/interval_set.hpp"
#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "pages/file_range.hpp"
#include "space/bound_selection.hpp"

namespace onecast::storage {

/// Contiguous data of a new dataset that has its place, where the file may have anything: what is
/// written to it is noted, and the next flush, or collective transfer on a communicator, fills what
/// no rank has written.
class Unfilled {
 public:
  /// @param is_shown this rank reads what is there: others may have written it
  explicit Unfilled(bool is_shown) : is_shown_(is_shown) {}

  /// This rank has written [start, end) of the file.
  void add_written(std::uint64_t start, std::uint64_t end) {
    written_.add(start, end);
    known_.add(start, end);
  }
  /// Another rank writes it for all. Whether it can, only that one knows.
  void add_known(std::uint64_t start, std::uint64_t end) { known_.add(start, end); }

  [[nodiscard]] const IntervalSet& written() const { return written_; }
  /// What this rank may read.
  [[nodiscard]] const IntervalSet& known() const { return known_; }
  [[nodiscard]] bool is_shown() const { return is_shown_; }

 private:
  bool is_shown_;
  IntervalSet written_;
  IntervalSet known_;
};

/// Contiguous data just got its place, and nobody writes all of it at once. If elements that nobody
/// writes would not be what they should, it is filled. @same
void fill_later(Node& dataset);

/// This rank has written these elements of a dataset.
void note_written(Node& dataset, const BoundSelection& selection);
/// Another rank writes them for all.
void note_known(Node& dataset, const BoundSelection& selection);

/// Of one process alone: fills all now if there is too much to remember.
void limit_notes(Node& dataset);

/// Are there elements that this rank does not know to be written, and does not read?
[[nodiscard]] bool may_be_unfilled(Node& dataset);

/// Reads elements; what this rank does not know to be written is the fill value.
void read_unfilled(Node& dataset, const BoundSelection& selection, std::span<std::byte> out);

/// Fills, in all unfilled datasets, what no rank has written, each rank its part. @collective
void fill_unwritten(FileState& file);

}  // namespace onecast::storage
