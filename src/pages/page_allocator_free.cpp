/// Space that is given back to the allocator, and the page list's record of it.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/round_up.hpp"
#include "pages/page_allocator.hpp"
#include "pages/page_seal.hpp"
#include "pages/page_sizes.hpp"

namespace onecast::pages {
namespace {

FreeStretch stretch_of(const HeapRoom& room) {
  return FreeStretch::in_heap(room.address, room.size, room.collection, room.ends_collection());
}

HeapRoom room_of(const FreeStretch& s) {
  HeapRoom room{{s.address.value - s.distance()}, 0, s.address, s.size()};
  if (s.ends_collection()) room.collection_size = s.distance() + s.size();
  return room;
}

void keep_largest(std::vector<FreeStretch>& all, std::size_t most) {
  if (all.size() <= most) return;
  const auto larger = [](const FreeStretch& a, const FreeStretch& b) {
    return a.size() != b.size() ? a.size() > b.size() : a.address < b.address;
  };
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most), all.end(), larger);
  all.resize(most);
}

/// Finds runs of pages that mostly ascend; each search goes on where the previous one ended.
class RunFinder {
 public:
  explicit RunFinder(const std::vector<MetadataPageRun>& runs) : runs_(runs), at_(runs.begin()) {}

  /// The first run that ends after this page; nullptr if there is none.
  const MetadataPageRun* ending_behind(std::uint64_t page) {
    if (at_ != runs_.begin() && end_of(*std::prev(at_)) > page)
      at_ = std::partition_point(runs_.begin(), at_,
                                 [&](const MetadataPageRun& r) { return end_of(r) <= page; });
    while (at_ != runs_.end() && end_of(*at_) <= page) ++at_;
    return at_ == runs_.end() ? nullptr : &*at_;
  }

 private:
  static std::uint64_t end_of(const MetadataPageRun& run) {
    return run.first_page + run.page_count;
  }

  const std::vector<MetadataPageRun>& runs_;
  std::vector<MetadataPageRun>::const_iterator at_;
};

}  // namespace

bool PageAllocator::are_pages(Address address, std::uint64_t size, bool metadata) const {
  if (size == 0 || address.value < kBootSize || address.value > end_ || size > end_ - address.value)
    return false;
  return is_metadata_page(address.value / page_size_) == metadata &&
         is_metadata_page((address.value + size - 1) / page_size_) == metadata;
}

std::optional<FreeSpace::Stretch> PageAllocator::add_free(FreeSpace& space, Rest& rest,
                                                          std::uint64_t address,
                                                          std::uint64_t size) {
  if (rest.size() != 0 && address < rest.end && rest.cursor - address < size) return std::nullopt;
  const auto stretch = space.add(address, size);
  const bool touches = stretch && rest.size() != 0 &&
                       (stretch->end() == rest.cursor || stretch->address == rest.end);
  if (!touches) return stretch;
  const Rest all = std::exchange(rest, {});
  return space.add(all.cursor, all.size());
}

void PageAllocator::free_metadata(Address address, std::uint64_t size) {
  if (!paged_) {
    // The exact size of another program's structures is not known.
    const bool is_own = address.value >= used_end_;
    if (is_own && are_pages(address, size, false)) free_.metadata.add(address.value, size);
    return;
  }
  if (!are_pages(address, size, true)) return;
  // An object that takes its pages whole leaves the rest of the last one unused.
  const bool whole_pages = size > page_size_ - kSealSize && address.value % page_size_ == 0;
  used_.add(address.value, address.value + size);
  auto stretch = add_free(free_.metadata, metadata_, address.value,
                          round_up(size, whole_pages ? page_size_ : kAlignment));
  if (!stretch) return;
  if (const std::uint64_t end = stretch->end(); leaves_page_ends_ && is_page_end(end))
    if (const auto all = free_.metadata.add(end, seal_of(end) - end)) stretch = all;
  const std::uint64_t first = round_up(stretch->address, page_size_) / page_size_;
  for (std::uint64_t page = first; (page + 1) * page_size_ - kSealSize <= stretch->end(); ++page)
    empty_page(page, *stretch);
}

/// The page's seal may be free or not.
void PageAllocator::empty_page(std::uint64_t page, const FreeSpace::Stretch& stretch) {
  const std::uint64_t address = page * page_size_;
  free_.metadata.remove(address, std::min(page_size_, stretch.end() - address));
  remove_metadata_page(page);
  reused_pages_.erase(page);
  used_.add(address, address + page_size_);
  add_spare_pages(address, page_size_);
}

/// Adds pages to those reserved for metadata; their stripe or cluster may be empty now.
void PageAllocator::add_spare_pages(std::uint64_t address, std::uint64_t size) {
  const auto spare = free_.spare.add(address, size);
  if (!spare) return;
  if (address < reserved_end_) return;
  FreeSpace::Stretch empty = *spare;
  if (mixes()) {
    if (empty.address < reserved_end_) empty = {reserved_end_, empty.end() - reserved_end_};
    if (empty.size < cluster_at(end_)) return;
  } else {
    const std::uint64_t behind = aligned(address + 1, unit_);
    if (behind < unit_ || !free_.spare.holding(behind - unit_, unit_)) return;
    empty = {behind - unit_, unit_};
  }
  free_.spare.remove(empty.address, empty.size);
  add_free(free_.raw, raw_, empty.address, empty.size);
}

void PageAllocator::remove_metadata_page(std::uint64_t page) {
  const auto run = std::prev(
      std::upper_bound(runs_.begin(), runs_.end(), page,
                       [](std::uint64_t p, const MetadataPageRun& r) { return p < r.first_page; }));
  const auto before = static_cast<std::uint32_t>(page - run->first_page);
  const std::uint32_t behind = run->page_count - before - 1;
  run->page_count = before;
  const auto next = before == 0 ? runs_.erase(run) : std::next(run);
  if (behind != 0) runs_.insert(next, {behind, page + 1});
}

std::uint64_t PageAllocator::room_of_raw_data(Address address, std::uint64_t size) const {
  if (!are_pages(address, size, false)) return 0;
  // Outside of pages, the next object may begin at any byte.
  const bool exact = address.value < pages_start_;
  const std::uint64_t room = exact ? size : round_up(size, kAlignment);
  return free_.raw.overlaps(address.value, room) ? 0 : room;
}

void PageAllocator::free_raw_data(Address address, std::uint64_t size) {
  const std::uint64_t room = room_of_raw_data(address, size);
  if (room == 0) return;
  add_free(free_.raw, raw_, address.value, room);
  used_.add(address.value, address.value + size);
}

void PageAllocator::free_heap_room(const HeapRoom& room) {
  const std::uint64_t before = room.address.value - room.collection.value;
  if (!are_pages(room.collection, before + room.size, false)) return;
  if (const auto all = free_.heaps.add(room)) free_raw_data(all->address, all->size);
}

bool PageAllocator::may_be_free(const FreeStretch& stretch, std::uint64_t start,
                                const MetadataPageRun* run) const {
  const std::uint64_t size = stretch.address.value - start + stretch.size();
  if (start < kBootSize || start >= end_ || size > end_ - start) return false;
  const auto meets = [&](const Rest& rest) {
    return rest.size() != 0 && start < rest.end && rest.cursor < start + size;
  };
  if (meets(metadata_) || meets(raw_)) return false;
  const std::uint64_t first = start / page_size_;
  if (run != nullptr && run->first_page <= first)
    return !stretch.is_in_heap() && !stretch.is_for_metadata() && start % kAlignment == 0 &&
           start + size <= (first + 1) * page_size_;
  if (stretch.is_for_metadata() &&
      (start % page_size_ != 0 || size % page_size_ != 0 || start < pages_start_))
    return false;
  return run == nullptr || start + size <= run->first_page * page_size_;
}

bool PageAllocator::take_over(std::span<const FreeStretch> stretches,
                              std::vector<FileRange> in_use) {
  merge_ranges(in_use, 0);
  auto used = in_use.begin();
  std::vector<FreeSpace::Stretch> metadata;
  std::vector<FreeSpace::Stretch> raw;
  std::vector<FreeSpace::Stretch> spare;
  std::vector<HeapRoom> rooms;
  RunFinder runs(runs_);
  for (const FreeStretch& s : stretches) {
    // A collection lies as a whole in pages of one kind.
    const std::uint64_t start = s.address.value - (s.is_in_heap() ? s.distance() : 0);
    const MetadataPageRun* run = runs.ending_behind(start / page_size_);
    if (!may_be_free(s, start, run)) return false;
    while (used != in_use.end() && used->address.value + used->size <= s.address.value) ++used;
    if (used != in_use.end() && used->address < s.address + s.size()) return false;
    if (s.is_in_heap()) {
      rooms.push_back(room_of(s));
      continue;
    }
    const bool in_pages = run != nullptr && run->first_page <= start / page_size_;
    (in_pages              ? metadata
     : s.is_for_metadata() ? spare
                           : raw)
        .push_back({s.address.value, s.size()});
  }
  free_.metadata.add_all(std::move(metadata));
  free_.raw.add_all(std::move(raw));
  free_.spare.add_all(std::move(spare));
  for (const HeapRoom& room : rooms) free_.heaps.add(room);
  return true;
}

std::size_t PageAllocator::free_stretch_count() const {
  const std::size_t count = free_.metadata.count() + free_.raw.count() + free_.spare.count();
  return std::min(count, kMostStretches) + std::min(free_.heaps.count(), kMostHeapRooms);
}

std::vector<FileRange> PageAllocator::unused_space() const {
  std::vector<FileRange> all;
  for (const FreeSpace* space : {&free_.raw, &free_.spare})
    for (const auto& [address, size] : space->stretches()) all.push_back({{address}, size});
  return all;
}

std::vector<FreeStretch> PageAllocator::free_stretches() const {
  std::vector<FreeStretch> all;
  for (const FreeSpace* space : {&free_.metadata, &free_.raw, &free_.spare})
    for (const auto& [address, size] : space->stretches())
      all.push_back({{address}, space == &free_.spare ? size | FreeStretch::kForMetadata : size});
  keep_largest(all, kMostStretches);
  std::vector<FreeStretch> in_heaps;
  for (const HeapRoom& room : free_.heaps.rooms()) in_heaps.push_back(stretch_of(room));
  keep_largest(in_heaps, kMostHeapRooms);
  all.insert(all.end(), in_heaps.begin(), in_heaps.end());
  std::sort(all.begin(), all.end(),
            [](const FreeStretch& a, const FreeStretch& b) { return a.address < b.address; });
  return all;
}

PageAllocator::Mark PageAllocator::mark() {
  Mark mark(*this, {});
  std::ranges::transform(free_.all(), mark.changes_.begin(), &FreeSpace::mark);
  return mark;
}

void PageAllocator::undo(Mark mark) {
  used_end_ = std::max(used_end_, end_);
  static_cast<PageAllocatorCursors&>(*this) = std::move(mark.cursors_);
  auto change = mark.changes_.begin();
  for (FreeSpace* space : free_.all()) space->undo(*change++);
}

void PageAllocator::forget_last_mark() {
  for (FreeSpace* space : free_.all()) space->forget_mark();
}

}  // namespace onecast::pages
