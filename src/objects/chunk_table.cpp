#include "objects/chunk_table.hpp"

#include <algorithm>

namespace onecast {

const ChunkSlot* ChunkTable::find(std::uint64_t number) const {
  const auto found = slots_.find(number);
  return found == slots_.end() ? nullptr : &found->second;
}

const ChunkCoordinates* ChunkTable::valid_extent(std::uint64_t number) const {
  const auto found = valid_.find(number);
  return found == valid_.end() ? nullptr : &found->second;
}

void ChunkTable::load(const ChunkEntry& entry) {
  if (!grid_.contains(entry.at) || !entry.address.is_defined()) return;
  slots_.insert_or_assign(slots_.end(), grid_.number(entry.at),
                          ChunkSlot{entry.address, entry.size, entry.filter_mask, true});
}

void ChunkTable::set(std::uint64_t number, const ChunkSlot& slot, std::vector<ChunkSlot>& freed) {
  const auto [place, is_new] = slots_.try_emplace(number, slot);
  valid_.erase(number);
  if (is_new) {
    changed = true;
    changes_.push_back(number);
    return;
  }
  ChunkSlot& old = place->second;
  if (old.address == slot.address && old.size == slot.size && old.filter_mask == slot.filter_mask)
    return;
  freed.push_back(old);
  old = slot;
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
  if (shrinks || renumbers) {
    Slots slots;
    Extents valid;
    for (const auto& [number, slot] : slots_) {
      const ChunkCoordinates at = grid_.coordinates(number);
      if (!next.contains(at)) {
        freed.push_back(slot);
        changed = has_lost_ = true;
        continue;
      }
      const std::uint64_t renumbered = next.number(at);
      slots.emplace_hint(slots.end(), renumbered, slot);
      const ChunkCoordinates* before = valid_extent(number);
      ChunkCoordinates extent = before != nullptr ? *before : grid_.extent;
      bool loses = before != nullptr;
      for (unsigned d = 0; d < grid_.rank; ++d) {
        const std::uint64_t end = std::min(extent[d], (at[d] + 1) * grid_.chunk[d]);
        loses = loses || next.extent[d] < end;
        extent[d] = std::min(extent[d], next.extent[d]);
      }
      if (loses) valid.emplace_hint(valid.end(), renumbered, extent);
    }
    slots_ = std::move(slots);
    valid_ = std::move(valid);
    std::vector<std::uint64_t> changes;
    for (const std::uint64_t number : changes_)
      if (const ChunkCoordinates at = grid_.coordinates(number); next.contains(at))
        changes.push_back(next.number(at));
    changes_ = std::move(changes);
  }
  grid_ = next;
}

void ChunkTable::commit() {
  for (const std::uint64_t number : changes_) slots_.find(number)->second.committed = true;
  changes_.clear();
  changed = has_lost_ = false;
}

}  // namespace onecast
