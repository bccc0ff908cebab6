#include "hdf5/identity_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hdf5/event_layout.hpp"
#include "model/entry_order.hpp"

namespace onecast::events::hdf5 {
namespace {

constexpr std::uint64_t kBlockRows = 256;

/// Returns a row from the block, which `read` replaces if the row is not in it.
template <class Block, class Read>
auto row_of(Block& block, std::uint64_t row, std::uint64_t rows, Read&& read) {
  if (row < block.first || row - block.first >= block.rows.size()) {
    block.rows.clear();  // in case reading fails
    const std::uint64_t first = row / kBlockRows * kBlockRows;
    block.rows = read(first, std::min(kBlockRows, rows - first));
    block.first = first;
  }
  return block.rows[static_cast<std::size_t>(row - block.first)];
}

}  // namespace

IdentityIndex::IdentityIndex(Group group, Dataset identities)
    : group_(std::move(group)), identities_(std::move(identities)), size_(identities_.shape()[0]) {}

std::optional<std::uint64_t> IdentityIndex::find(const Identity& identity) {
  if (!is_known_) read_order();
  // A failed search leaves no position for the next search to begin at.
  const std::uint64_t position = lower_bound(identity, std::exchange(last_, size_));
  if (position == size_) return {};
  last_ = position;
  return identity_at(position) == identity ? std::optional(entry_at(position)) : std::nullopt;
}

std::uint64_t IdentityIndex::lower_bound(const Identity& identity, std::uint64_t from) {
  std::uint64_t low = 0;
  std::uint64_t high = size_;
  if (from < size_ && identity_at(from) < identity) {
    // Steps double until the position lies after `low` and not after `high`.
    low = from + 1;
    for (std::uint64_t step = 1; step < size_ - low; step *= 2) {
      if (!(identity_at(low + step - 1) < identity)) {
        high = low + step - 1;
        break;
      }
      low += step;
    }
  } else if (from < size_) {
    high = from;
  }
  return first_not_before(identity, low, high,
                          [this](std::uint64_t at) { return identity_at(at); });
}

void IdentityIndex::read_order() {
  if (!group_.has_attribute(kIndexAttribute)) {
    // The writer was interrupted.
    std::vector<Identity> all(static_cast<std::size_t>(size_));
    identities_.read(std::as_writable_bytes(std::span(all)), {.memory_type = identity_type()});
    order_ = entries_by_identity(all.size(), [&](std::uint64_t entry) { return all[entry]; });
  } else if (text_attribute(group_, kIndexAttribute) != kAscending) {
    stored_order_ = NumberTable(need_dataset(group_, kIndex), 1);
    if (stored_order_.rows() != size_) fail_format(stored_order_.dataset(), "has another size");
  }
  is_known_ = true;
}

std::uint64_t IdentityIndex::entry_at(std::uint64_t position) {
  if (!order_.empty()) return order_[position];
  if (stored_order_.rows() == 0) return position;
  const std::uint64_t entry = row_of(
      some_order_, position, size_,
      [&](std::uint64_t first, std::uint64_t rows) { return stored_order_.read(first, rows); });
  if (entry >= size_)
    fail_format(stored_order_.dataset(), "row {}: entry {} of {}", position, entry, size_);
  return entry;
}

Identity IdentityIndex::identity_at(std::uint64_t position) {
  return row_of(
      some_identities_, entry_at(position), size_, [&](std::uint64_t first, std::uint64_t rows) {
        std::vector<Identity> some(static_cast<std::size_t>(rows));
        identities_.read(
            std::as_writable_bytes(std::span(some)),
            {.part = identities_.rows(first, first + rows), .memory_type = identity_type()});
        return some;
      });
}

}  // namespace onecast::events::hdf5
