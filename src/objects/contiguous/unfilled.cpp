#include "objects/contiguous/unfilled.hpp"

#include <algorithm>
#include <unordered_map>

#include "comm/agreement.hpp"
#include "format/objects/fill_value_message.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/packer.hpp"

namespace onecast::contiguous {
namespace {

std::uint64_t end_of(const FileRange& range) { return range.address.value + range.size; }

FileRange place_of(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  return {info.address, info.space.element_count() * info.type.size()};
}

template <class F>
void for_each_range(Node& dataset, const BoundSelection& selection, F&& each) {
  const DatasetInfo& info = dataset.dataset();
  selection.for_each_run([&](std::uint64_t first, std::uint64_t count) {
    each(FileRange{info.address + first * info.type.size(), count * info.type.size()});
  });
}

/// Returns the parts of `whole` that `ranges`, sorted and merged, leave free.
std::vector<FileRange> gaps(const FileRange& whole, const std::vector<FileRange>& ranges) {
  std::vector<FileRange> found;
  std::uint64_t at = whole.address.value;
  for (const FileRange& r : ranges) {
    if (r.address.value > at) found.push_back({Address{at}, r.address.value - at});
    at = std::max(at, end_of(r));
  }
  if (at < end_of(whole)) found.push_back({Address{at}, end_of(whole) - at});
  return found;
}

/// Calls each(range) for the bytes [first, end) of the concatenation of `ranges`.
template <class F>
void for_each_part(const std::vector<FileRange>& ranges, std::uint64_t first, std::uint64_t end,
                   F&& each) {
  std::uint64_t at = 0;
  for (const FileRange& r : ranges) {
    const std::uint64_t from = std::max(first, at);
    const std::uint64_t to = std::min(end, at + r.size);
    if (from < to) each(FileRange{r.address + (from - at), to - from});
    at += r.size;
  }
}

bool is_never_filled(const Node& dataset) {
  const HeaderMessage* stored = dataset.header.find(MessageType::fill_value);
  if (stored == nullptr) return false;
  const HeaderMessage m = file_of(dataset).shared().resolve(*stored);
  const auto fill = decode<FillValueMessage>(m.data, m.address, file_of(dataset).store().file());
  return fill.write_time == FillValueWriteTime::never;
}

using WrittenOf = std::unordered_map<std::uint64_t, std::vector<FileRange>>;

WrittenOf gather_written(FileState& file) {
  Packer mine;
  for (const Node* node : file.changes().unfilled_datasets) {
    Packer ranges;
    for (const auto& [start, end] : unfilled_of(*node)->written().intervals()) {
      ranges.number(start);
      ranges.number(end - start);
    }
    mine.number(node->identity());
    mine.block(ranges.out);
  }
  WrittenOf all;
  for (const auto& bytes : file.comm().all_gather(mine.out))
    for (Unpacker u(bytes); !u.at_end();) {
      std::vector<FileRange>& ranges = all[u.number()];
      for (Unpacker r(u.block()); !r.at_end();) {
        const Address address{r.number()};
        ranges.push_back({address, r.number()});
      }
    }
  for (auto& [_, ranges] : all) merge_ranges(ranges, 0);
  return all;
}

/// Fills this rank's part, in whole elements.
void fill_part(Node& dataset, const std::vector<FileRange>& written) {
  FileState& file = file_of(dataset);
  const DatasetInfo& info = dataset.dataset();
  const std::vector<FileRange> missing = gaps(place_of(dataset), written);
  const std::uint64_t elements = total_size(missing) / info.type.size();
  const auto ranks = static_cast<std::uint64_t>(file.comm().size());
  const auto begin_of = [&](std::uint64_t rank) {
    const std::uint64_t before = elements / ranks * rank + std::min(elements % ranks, rank);
    return before * info.type.size();
  };
  const auto rank = static_cast<std::uint64_t>(file.comm().rank());
  for_each_part(missing, begin_of(rank), begin_of(rank + 1), [&](const FileRange& part) {
    write_fill(file, part.address, part.size, info.fill_value);
  });
}

}  // namespace

void fill_later(Node& dataset) {
  FileState& file = file_of(dataset);
  const FileRange place = place_of(dataset);
  if (place.size == 0 || dataset.waiting() != nullptr) return;
  const ByteView element = dataset.dataset().fill_value;
  const bool is_zero = std::ranges::all_of(element, [](std::byte b) { return b == std::byte{0}; });
  if (is_zero && !file.allocator().was_used(place.address, place.size)) return;
  // HDF5 leaves elements that are never filled undefined, so reading what other ranks have written
  // since is better than zeros.
  const bool is_shown = !file.comm().is_self() && is_never_filled(dataset);
  dataset.written = std::make_unique<Unfilled>(is_shown);
  file.changes().unfilled_datasets.push_back(&dataset);
}

void note_written(Node& dataset, const BoundSelection& selection) {
  Unfilled* const notes = unfilled_of(dataset);
  if (notes == nullptr) return;
  for_each_range(dataset, selection,
                 [&](const FileRange& r) { notes->add_written(r.address.value, end_of(r)); });
}

void note_known(Node& dataset, const BoundSelection& selection) {
  Unfilled* const notes = unfilled_of(dataset);
  if (notes == nullptr) return;
  for_each_range(dataset, selection,
                 [&](const FileRange& r) { notes->add_known(r.address.value, end_of(r)); });
}

void limit_notes(Node& dataset) {
  constexpr std::size_t kMost = std::size_t{1} << 16U;
  const Unfilled* const notes = unfilled_of(dataset);
  if (notes == nullptr || notes->known().intervals().size() < kMost) return;
  if (file_of(dataset).comm().is_self()) fill_unwritten(file_of(dataset));
}

bool may_be_unfilled(Node& dataset) {
  const Unfilled* const notes = unfilled_of(dataset);
  if (notes == nullptr || notes->is_shown()) return false;
  const FileRange place = place_of(dataset);
  return !notes->known().covers(place.address.value, end_of(place));
}

void read_unfilled(Node& dataset, const BoundSelection& selection, std::span<std::byte> out) {
  const auto& known = unfilled_of(dataset)->known().intervals();
  fill(out, dataset.dataset().fill_value);
  std::size_t done = 0;
  for_each_range(dataset, selection, [&](const FileRange& wanted) {
    auto at = known.upper_bound(wanted.address.value);
    if (at != known.begin()) --at;
    for (; at != known.end() && at->first < end_of(wanted); ++at) {
      const std::uint64_t from = std::max(at->first, wanted.address.value);
      const std::uint64_t to = std::min(at->second, end_of(wanted));
      if (from >= to) continue;
      read_raw(file_of(dataset), Address{from},
               out.subspan(done + static_cast<std::size_t>(from - wanted.address.value),
                           static_cast<std::size_t>(to - from)));
    }
    done += static_cast<std::size_t>(wanted.size);
  });
}

void fill_unwritten(FileState& file) {
  auto& datasets = file.changes().unfilled_datasets;
  std::erase_if(datasets, [](const Node* node) { return node->removed; });
  WrittenOf written = gather_written(file);
  agree(file.comm(), [&] {
    for (Node* node : datasets) fill_part(*node, written[node->identity()]);
  });
  for (Node* node : datasets) {
    file.changes().file_end = std::max(file.changes().file_end, end_of(place_of(*node)));
    node->written.reset();
  }
  datasets.clear();
}

}  // namespace onecast::contiguous
