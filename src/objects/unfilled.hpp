#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "objects/node.hpp"
#include "pages/file_range.hpp"
#include "space/bound_selection.hpp"

namespace onecast {

/// Contiguous data of a new dataset that has its place, but not its fill value yet: other ranks may
/// write to it already. The next flush, or collective transfer, fills what no rank has written.
class Unfilled {
 public:
  void add(const FileRange& written);
  /// The end of each stretch that this rank knows to be written, by its start. They do not touch.
  [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& written() const { return end_of_; }

 private:
  std::map<std::uint64_t, std::uint64_t> end_of_;
};

/// Of several ranks. @same
void leave_unfilled(Node& dataset);

/// This rank, or one for all, writes these elements of a dataset.
void note_written(Node& dataset, const BoundSelection& selection);

/// Reads elements; what this rank does not know to be written is the fill value.
void read_unfilled(Node& dataset, const BoundSelection& selection, std::span<std::byte> out);

/// Fills, in all unfilled datasets, what no rank has written, each rank its part. @collective
void fill_unwritten(FileState& file);

}  // namespace onecast
