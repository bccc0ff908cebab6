#pragma once

#include <cstdint>
#include <span>

#include "base/file_range.hpp"
#include "base/interval_set.hpp"
#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::contiguous {

/// Contiguous data of a new dataset at a place where the file may have any bytes. Writes are noted;
/// the next flush, or collective transfer on a communicator, fills what no rank has written.
class Unfilled final : public WrittenStorage {
 public:
  /// @param is_shown true if this rank reads the bytes in the file, which other ranks may have
  /// written
  explicit Unfilled(bool is_shown) : WrittenStorage(Kind::contiguous), is_shown_(is_shown) {}

  /// Notes that this rank has written [start, end) of the file.
  void add_written(std::uint64_t start, std::uint64_t end) {
    written_.add(start, end);
    known_.add(start, end);
  }
  /// Notes that another rank writes the range for all ranks. Only that rank knows whether it
  /// succeeds.
  void add_known(std::uint64_t start, std::uint64_t end) { known_.add(start, end); }

  [[nodiscard]] const IntervalSet& written() const { return written_; }
  /// The bytes that this rank may read.
  [[nodiscard]] const IntervalSet& known() const { return known_; }
  [[nodiscard]] bool is_shown() const { return is_shown_; }
  /// Returns false: the bytes are in the file.
  [[nodiscard]] bool needs_settling() const override { return false; }
  void drop() override {}

 private:
  bool is_shown_;
  IntervalSet written_;
  IntervalSet known_;
};

/// Returns the notes about new contiguous data until the next flush; null if there are none.
inline Unfilled* unfilled_of(const Node& dataset) {
  WrittenStorage* const written = dataset.written.get();
  const bool has_notes = written != nullptr && written->kind() == WrittenStorage::Kind::contiguous;
  return has_notes ? static_cast<Unfilled*>(written) : nullptr;
}

/// Notes that contiguous data just got its place without a write of the whole. It is filled later
/// if unwritten elements would not read as they should. @same
void fill_later(Node& dataset);

/// Notes that this rank has written these elements of a dataset.
void note_written(Node& dataset, const BoundSelection& selection);
/// Notes that another rank writes these elements for all ranks.
void note_known(Node& dataset, const BoundSelection& selection);

/// Fills the dataset now if one process without others has too many notes.
void limit_notes(Node& dataset);

/// Returns true if there are elements that this rank neither knows to be written nor reads from the
/// file.
[[nodiscard]] bool may_be_unfilled(Node& dataset);

/// Reads elements; those that this rank does not know to be written have the fill value.
void read_unfilled(Node& dataset, const BoundSelection& selection, std::span<std::byte> out);

/// Fills, in all unfilled datasets, what no rank has written; each rank fills a part. @collective
void fill_unwritten(FileState& file);

}  // namespace onecast::contiguous
