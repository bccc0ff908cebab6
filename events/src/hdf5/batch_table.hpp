#pragma once

#include <cstdint>
#include <vector>

#include "hdf5/checked_reads.hpp"

namespace onecast::events::hdf5 {

/// The dataset Batches (docs/reference/events.md): one row for each batch, which starts with the
/// entry of its first event.
class BatchTable {
 public:
  BatchTable() = default;
  /// Throws Error (format) if the batches do not cover all `events`.
  BatchTable(const Dataset& dataset, std::uint64_t width, std::uint64_t events);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::uint64_t>& operator[](std::size_t batch) const {
    return rows_[batch];
  }
  /// Returns the batch that holds the event.
  [[nodiscard]] std::size_t of(std::uint64_t entry) const;
  /// The entry of the first event of a batch, and of the first event after it.
  [[nodiscard]] std::uint64_t begin_of(std::size_t batch) const { return rows_[batch].front(); }
  [[nodiscard]] std::uint64_t end_of(std::size_t batch) const {
    return batch + 1 < rows_.size() ? begin_of(batch + 1) : events_;
  }

 private:
  std::vector<std::vector<std::uint64_t>> rows_;
  std::uint64_t events_ = 0;
};

}  // namespace onecast::events::hdf5
