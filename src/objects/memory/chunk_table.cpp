#include "objects/memory/chunk_table.hpp"

#include <algorithm>

namespace onecast::memory {
namespace {

/// Calls each(box) for boxes that together cover the first `from` chunks of each dimension without
/// the first `to` chunks of each.
template <class F>
void for_each_box_between(const ChunkCoordinates& from, const ChunkCoordinates& to, unsigned rank,
                          F&& each) {
  ChunkCoordinates count = from;
  for (unsigned d = 0; d < rank; ++d) {
    if (to[d] < count[d]) {
      ChunkBox box;
      bool empty = false;
      for (unsigned k = 0; k < rank; ++k) {
        box.first[k] = k == d ? to[d] : 0;
        empty = empty || count[k] == 0;
        box.last[k] = count[k] - 1;
      }
      if (!empty) each(box);
      count[d] = to[d];
    }
  }
}

/// Returns true if `next` cuts off bytes of a chunk that were valid in `before`.
bool is_cut(const ChunkGrid& next, const ChunkCoordinates& before, const ChunkCoordinates& at) {
  for (unsigned d = 0; d < next.rank; ++d)
    if (next.extent[d] < std::min(before[d], (at[d] + 1) * next.chunk[d])) return true;
  return false;
}

ChunkCoordinates common(const ChunkCoordinates& a, const ChunkCoordinates& b, unsigned rank) {
  ChunkCoordinates least = a;
  for (unsigned d = 0; d < rank; ++d) least[d] = std::min(a[d], b[d]);
  return least;
}

}  // namespace

bool ChunkTable::is_left(const ChunkCoordinates& at) const {
  for (unsigned d = 0; d < grid_.rank; ++d)
    if (at[d] >= left_[d]) return false;
  return true;
}

std::optional<ChunkSlot> ChunkTable::find(std::uint64_t number) const {
  if (const auto found = slots_.find(number); found != slots_.end()) return found->second;
  if (stored_ == nullptr) return std::nullopt;
  const ChunkCoordinates at = grid_.coordinates(number);
  if (!is_left(at)) return std::nullopt;
  const auto entry = stored_->find(at);
  if (!entry || !entry->address.is_defined()) return std::nullopt;
  return slot_of(*entry);
}

ChunkTable::Slots ChunkTable::all() const {
  Slots found = slots_;
  if (stored_ != nullptr)
    stored_->for_each([&](const ChunkEntry& entry) {
      if (entry.address.is_defined() && is_left(entry.at))
        found.try_emplace(grid_.number(entry.at), slot_of(entry));
    });
  return found;
}

const ChunkCoordinates* ChunkTable::valid_extent(std::uint64_t number) const {
  const auto found = valid_.find(number);
  return found == valid_.end() ? nullptr : &found->second;
}

void ChunkTable::load(const ChunkEntry& entry) {
  if (!grid_.contains(entry.at) || !entry.address.is_defined()) return;
  slots_.insert_or_assign(slots_.end(), grid_.number(entry.at), slot_of(entry));
}

void ChunkTable::set_stored(std::unique_ptr<ChunkIndex> in_file) {
  stored_ = std::move(in_file);
  stored_count_ = left_ = grid_.count;
}

void ChunkTable::set(std::uint64_t number, const ChunkSlot& slot, std::vector<ChunkSlot>& freed) {
  valid_.erase(number);
  const std::optional<ChunkSlot> old = find(number);
  if (old) {
    if (old->address == slot.address && old->size == slot.size &&
        old->filter_mask == slot.filter_mask)
      return;
    freed.push_back(*old);
  }
  slots_.insert_or_assign(number, slot);
  changed = true;
  changes_.push_back(number);
}

void ChunkTable::resize(const ChunkGrid& next, std::vector<ChunkSlot>& freed) {
  bool shrinks = false;
  bool renumbers = false;
  for (unsigned d = 0; d < grid_.rank; ++d) {
    shrinks = shrinks || next.extent[d] < grid_.extent[d];
    renumbers = renumbers || (d > 0 && next.count[d] != grid_.count[d]);
  }
  if (shrinks && stored_ != nullptr) resize_stored(next, freed);
  if (shrinks || renumbers) resize_slots(next, freed);
  grid_ = next;
}

/// Frees the chunks outside that are only in the file's index.
void ChunkTable::resize_stored(const ChunkGrid& next, std::vector<ChunkSlot>& freed) {
  for_each_box_between(left_, next.count, grid_.rank, [&](const ChunkBox& box) {
    stored_->for_each_in(box, [&](const ChunkEntry& entry) {
      if (entry.address.is_defined() && !slots_.contains(grid_.number(entry.at)))
        freed.push_back(slot_of(entry));
      changed = has_lost_ = true;
    });
  });
  left_ = common(left_, next.count, grid_.rank);
}

void ChunkTable::resize_slots(const ChunkGrid& next, std::vector<ChunkSlot>& freed) {
  Extents valid;
  for (const auto& [number, extent] : valid_)
    if (const ChunkCoordinates at = grid_.coordinates(number); next.contains(at))
      valid.emplace(next.number(at), common(extent, next.extent, grid_.rank));
  Slots slots;
  for (const auto& [number, slot] : slots_) {
    const ChunkCoordinates at = grid_.coordinates(number);
    if (!next.contains(at)) {
      freed.push_back(slot);
      changed = has_lost_ = true;
      continue;
    }
    const std::uint64_t renumbered = next.number(at);
    slots.emplace_hint(slots.end(), renumbered, slot);
    if (is_cut(next, grid_.extent, at))
      valid.try_emplace(renumbered, common(grid_.extent, next.extent, grid_.rank));
  }
  cut_stored(next, valid);
  slots_ = std::move(slots);
  valid_ = std::move(valid);
  std::vector<std::uint64_t> changes;
  for (const std::uint64_t number : changes_)
    if (const ChunkCoordinates at = grid_.coordinates(number); next.contains(at))
      changes.push_back(next.number(at));
  changes_ = std::move(changes);
}

/// Notes the cut chunks of the file's index, which can only lie at the new border.
void ChunkTable::cut_stored(const ChunkGrid& next, Extents& valid) const {
  if (stored_ == nullptr) return;
  const ChunkCoordinates count = common(left_, next.count, grid_.rank);
  for (unsigned d = 0; d < grid_.rank; ++d)
    if (count[d] == 0) return;
  for (unsigned d = 0; d < grid_.rank; ++d) {
    const std::uint64_t border = next.extent[d] / next.chunk[d];
    if (next.extent[d] >= grid_.extent[d] || border >= count[d]) continue;
    ChunkBox box;
    for (unsigned k = 0; k < grid_.rank; ++k) {
      box.first[k] = k == d ? border : 0;
      box.last[k] = k == d ? border : count[k] - 1;
    }
    stored_->for_each_in(box, [&](const ChunkEntry& entry) {
      if (entry.address.is_defined() && !slots_.contains(grid_.number(entry.at)))
        valid.try_emplace(next.number(entry.at), common(grid_.extent, next.extent, grid_.rank));
    });
  }
}

void ChunkTable::for_each_lost(const ChunkIndex::Each& each) const {
  if (stored_ != nullptr)
    for_each_box_between(stored_count_, left_, grid_.rank,
                         [&](const ChunkBox& box) { stored_->for_each_in(box, each); });
}

void ChunkTable::commit(std::unique_ptr<ChunkIndex> in_file) {
  if (in_file != nullptr)
    slots_.clear();
  else
    for (const std::uint64_t number : changes_) slots_.find(number)->second.committed = true;
  set_stored(std::move(in_file));
  changes_.clear();
  changed = has_lost_ = false;
}

}  // namespace onecast::memory
