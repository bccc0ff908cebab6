#pragma once

#include <cstdint>
#include <vector>

#include "hdf5/checked_reads.hpp"

namespace onecast::events::hdf5 {

/// The dataset Batches (docs/reference/events.md): a row for each batch, which begins with the
/// entry of its first event.
class BatchTable {
 public:
  BatchTable() = default;
  /// Throws Error (format) where the batches do not divide all `events`.
  BatchTable(const Dataset& dataset, std::uint64_t width, std::uint64_t events);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::uint64_t>& operator[](std::size_t batch) const {
    return rows_[batch];
  }
  /// The batch that has the event.
  [[nodiscard]] std::size_t of(std::uint64_t entry) const;
  /// The entry of its first event, and of the first one behind it.
  [[nodiscard]] std::uint64_t begin_of(std::size_t batch) const { return rows_[batch].front(); }
  [[nodiscard]] std::uint64_t end_of(std::size_t batch) const {
    return batch + 1 < rows_.size() ? begin_of(batch + 1) : events_;
  }

 private:
  std::vector<std::vector<std::uint64_t>> rows_;
  std::uint64_t events_ = 0;
};

}  // namespace onecast::events::hdf5
