#include "hdf5/batch_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace onecast::events::hdf5 {

BatchTable::BatchTable(const Dataset& dataset, std::uint64_t width, std::uint64_t events)
    : events_(events) {
  const NumberTable table(dataset, width);
  const auto numbers = table.read(0, table.rows());
  for (std::size_t at = 0; at < numbers.size(); at += width) {
    const bool ascends = at == 0 ? numbers[0] == 0 : numbers[at] > rows_.back().front();
    if (!ascends || numbers[at] >= events)
      fail_format(dataset, "row {}: begins with event {} of {}", at / width, numbers[at], events);
    rows_.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                       numbers.begin() + static_cast<std::ptrdiff_t>(at + width));
  }
  if (rows_.empty() != (events == 0)) fail_format(dataset, "does not have all events");
}

std::size_t BatchTable::of(std::uint64_t entry) const {
  const auto behind = std::upper_bound(
      rows_.begin(), rows_.end(), entry,
      [](std::uint64_t e, const std::vector<std::uint64_t>& row) { return e < row.front(); });
  return static_cast<std::size_t>(behind - rows_.begin()) - 1;
}

}  // namespace onecast::events::hdf5
