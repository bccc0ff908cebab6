#include "objects/values/renew_places.hpp"

#include <algorithm>

#include "comm/agreement.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/contiguous/late_allocation.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/first_rank.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/packer.hpp"
#include "objects/values/store_values.hpp"
#include "onecast/base/error.hpp"
#include "pages/draft_allocator.hpp"

namespace onecast::values {
namespace {

/// Returns null if the dataset's structure cannot be changed: then the chunks keep their places.
EditedChunks* changeable_chunks(Node& dataset) {
  try {
    return &edited_chunks(dataset);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    return nullptr;
  }
}

}  // namespace

bool needs_new_place(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  if (uses_heap(info.type) || has_no_place(dataset)) return true;
  const bool may_refer = info.type.points_elsewhere() && !info.is_external() &&
                         (info.layout == Layout::contiguous || info.layout == Layout::chunked);
  return may_refer && !dataset.is_new() && !file_of(dataset).changes().reserved_headers.empty();
}

void RenewedPlaces::want(Node& dataset, const BoundSelection& selection) {
  const DatasetInfo& info = dataset.dataset();
  if (dataset.removed || !needs_new_place(dataset)) return;
  const std::pair key(dataset.is_new(), dataset.identity());
  if (has_no_place(dataset)) wanted_[key] = {0};
  if (dataset.is_new() || selection.element_count() == 0) return;
  if (info.layout == Layout::contiguous && info.address.is_defined() &&
      !file_.changes().renewed.contains(&dataset))
    wanted_[key] = {0};
  if (info.layout != Layout::chunked || !info.filters.empty()) return;
  if (EditedChunks* chunks = changeable_chunks(dataset))
    for (const std::uint64_t number : chunk_numbers(selection, chunks->table().grid()))
      if (const auto slot = chunks->table().find(number); slot && slot->committed)
        wanted_[key].push_back(number);
}

void RenewedPlaces::gather() {
  Packer mine;
  for (const auto& [dataset, numbers] : wanted_) {
    mine.number(dataset.first ? 1 : 0);
    mine.number(dataset.second);
    mine.block(std::as_bytes(std::span(numbers)));
  }
  wanted_.clear();
  for (const auto& bytes : file_.comm().all_gather(mine.out))
    for (Unpacker u(bytes); !u.at_end();) {
      const bool is_new = u.number() != 0;
      auto& numbers = wanted_[{is_new, u.number()}];
      for (Unpacker n(u.block()); !n.at_end();) numbers.push_back(n.number());
    }
  for (auto& [_, numbers] : wanted_) {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
}

std::vector<RenewedPlaces::Move> RenewedPlaces::moves() const {
  std::vector<Move> found;
  for (const auto& [id, numbers] : wanted_) {
    Node& dataset = file_.nodes().of({id.first, id.second});
    if (dataset.dataset().layout == Layout::contiguous) {
      const DatasetInfo& info = dataset.dataset();
      const std::uint64_t size = info.space.element_count() * info.type.size();
      found.push_back({&dataset, 0, info.address, {}, size});
      continue;
    }
    const ChunkTable& table = edited_chunks(dataset).table();
    for (const std::uint64_t number : numbers) {
      const ChunkSlot slot = *table.find(number);
      found.push_back({&dataset, number, slot.address, {}, slot.size});
    }
  }
  return found;
}

void RenewedPlaces::copy(const Move& move) const {
  if (!move.from.is_defined()) return;
  if (move.dataset->dataset().layout == Layout::chunked)
    // Elements that shrinking cut off do not come back.
    return write_raw(file_, move.to,
                     known_edited_chunks(*move.dataset)->stored_image(move.chunk).span());
  constexpr std::uint64_t kPart = std::uint64_t{1} << 20U;
  std::vector<std::byte> part(static_cast<std::size_t>(std::min(move.size, kPart)));
  for (std::uint64_t done = 0; done < move.size; done += part.size()) {
    part.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPart, move.size - done)));
    read_file(file_, move.from + done, part);
    write_raw(file_, move.to + done, part);
  }
}

void RenewedPlaces::note_new_places(const std::vector<Move>& moves) const {
  for (const Move& move : moves) {
    Node& dataset = *move.dataset;
    dataset.edit();
    if (dataset.dataset().layout == Layout::chunked) {
      known_edited_chunks(dataset)->set(move.chunk, {move.to, move.size, 0, false});
    } else {
      if (move.from.is_defined()) file_.release_raw_data(move.from, move.size);
      set_place(dataset, move.to, move.size);
      if (!move.from.is_defined()) {
        fill_later(dataset);
        continue;
      }
    }
    file_.changes().file_end = std::max(file_.changes().file_end, move.to.value + move.size);
  }
}

void RenewedPlaces::renew_together() {
  CommunicatorBackend& comm = file_.comm();
  gather();
  if (wanted_.empty()) return;
  DraftAllocator next(file_.allocator());
  const std::vector<Move> all = agree(comm, [&] {
    std::vector<Move> found = moves();
    for (Move& move : found) move.to = next->contiguous_data(move.size);
    const auto ranks = static_cast<std::size_t>(comm.size());
    for (std::size_t i = static_cast<std::size_t>(comm.rank()); i < found.size(); i += ranks)
      copy(found[i]);
    return found;
  });
  next.keep();
  note_new_places(all);
}

void RenewedPlaces::renew_equally() {
  std::vector<Move> all = moves();
  for (Move& move : all) move.to = file_.allocator().contiguous_data(move.size);
  const std::size_t lost = count_lost(file_);
  for (const Move& move : all) on_first_rank(*move.dataset, [&] { copy(move); });
  // Readers look for the old elements at the new place.
  set_needed(file_, lost);
  note_new_places(all);
}

void renew_places_together(Node& dataset, const BoundSelection& selection) {
  RenewedPlaces places(file_of(dataset));
  places.want(dataset, selection);
  places.renew_together();
}

}  // namespace onecast::values
