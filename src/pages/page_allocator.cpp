#include "pages/page_allocator.hpp"

#include <algorithm>
#include <bit>

#include "base/round_up.hpp"
#include "format/record.hpp"
#include "pages/page_seal.hpp"
#include "pages/page_sizes.hpp"

namespace onecast::pages {

PageAllocator::PageAllocator(std::uint64_t page_size, std::uint64_t used)
    : PageAllocatorCursors(page_size, page_size, {{1, 0}}) {
  metadata_ = metadata_rest(used);
}

PageAllocator::PageAllocator(const PageListMessage& message, std::vector<MetadataPageRun> runs,
                             std::uint64_t end)
    : PageAllocatorCursors(message.page_size, round_up(end, message.page_size), std::move(runs)),
      used_end_(end_) {
  pages_start_ = runs_.empty() ? end_ : runs_.front().first_page * page_size_;
  leaves_page_ends_ = message.leaves_page_ends();
  const auto rest = [&](Address free, bool metadata) -> Rest {
    if (free.value < kBootSize || free.value >= end_ || free.value % kAlignment != 0) return {};
    const std::uint64_t page = free.value / page_size_;
    if (is_metadata_page(page) != metadata) return {};
    if (metadata) return metadata_rest(free.value);
    return {free.value, (page + 1) * page_size_};
  };
  metadata_ = rest(message.free_metadata, true);
  raw_ = rest(message.free_raw_data, false);
}

PageAllocator PageAllocator::behind(std::uint64_t page_size, std::uint64_t end) {
  return {page_size, round_up(end, page_size), {}};
}

PageAllocator::PageAllocator(std::uint64_t page_size, std::uint64_t end,
                             std::vector<MetadataPageRun> runs)
    : PageAllocatorCursors(page_size, end, std::move(runs)), used_end_(end) {
  pages_start_ = end;
}

PageAllocator PageAllocator::unpaged(std::uint64_t page_size, std::uint64_t end) {
  PageAllocator all{page_size, end, {}};
  all.pages_start_ = UINT64_MAX;
  all.paged_ = false;
  return all;
}

bool PageAllocator::is_metadata_page(std::uint64_t page) const {
  const auto next = std::upper_bound(
      runs_.begin(), runs_.end(), page,
      [](std::uint64_t at, const MetadataPageRun& r) { return at < r.first_page; });
  return next != runs_.begin() && page - std::prev(next)->first_page < std::prev(next)->page_count;
}

void PageAllocator::set_allocation_rules(const AllocationRules& rules) {
  rules_ = rules;
  if (separates_stripes()) {
    unit_ = rules_.stripe;
    first_stripe_end_ = aligned(1, unit_);
  }
  if (rules_.metadata_until > rules_.base)
    reserved_end_ = unit_ == page_size_ ? round_up(rules_.metadata_until - rules_.base, page_size_)
                                        : aligned(rules_.metadata_until - rules_.base, unit_);
}

bool PageAllocator::separates_stripes() const {
  if (rules_.stripe == 0 || rules_.interval == 1) return false;
  const bool whole = rules_.stripe % page_size_ == 0 && rules_.base % page_size_ == 0;
  return whole && rules_.stripe <= kMostStripe && rules_.stripe != page_size_;
}

void PageAllocator::reserve_metadata() {
  if (reserved_end_ > end_) keep_for_metadata(reserved_end_);
}

bool PageAllocator::follows_metadata() const {
  return end_ > pages_start_ && is_metadata_page(end_ / page_size_ - 1);
}

std::uint64_t PageAllocator::cluster_at(std::uint64_t address) const {
  const std::uint64_t share = std::bit_floor(address / kShareOfCluster);
  return round_up(std::clamp(share, std::uint64_t{1}, kMostCluster), page_size_);
}

std::uint64_t PageAllocator::cluster_end() const {
  const std::uint64_t start = runs_.back().first_page * page_size_;
  const std::uint64_t end = start + round_up(end_ - start, cluster_at(start));
  return end_ < first_stripe_end_ ? std::min(end, first_stripe_end_) : end;
}

void PageAllocator::keep_for_metadata(std::uint64_t end) {
  free_.spare.add(end_, end - end_);
  end_ = end;
}

void PageAllocator::begin_pages(Kind kind, std::uint64_t size, std::uint64_t interval) {
  if (!mixes()) return begin_stripe(kind);
  if (kind == Kind::metadata) return;
  if (follows_metadata()) keep_for_metadata(cluster_end());
  if (leaves_first_stripe(aligned(end_, interval), size)) keep_for_metadata(first_stripe_end_);
}

void PageAllocator::begin_stripe(Kind kind) {
  const std::uint64_t next = aligned(end_, unit_);
  if (next == end_) return;
  // In a file of another program, the rest of the stripe may hold anything.
  if (end_ > pages_start_) {
    const bool metadata = follows_metadata();
    if (metadata == (kind == Kind::metadata)) return;
    (metadata ? free_.spare : free_.raw).add(end_, next - end_);
  }
  end_ = next;
}

std::uint64_t PageAllocator::append_pages(std::uint64_t size, Kind kind) {
  begin_pages(kind, size, page_size_);
  const std::uint64_t address = end_;
  end_ += round_up(size, page_size_);
  return address;
}

std::optional<std::uint64_t> PageAllocator::free_pages(std::uint64_t size) {
  const auto anywhere = [](std::uint64_t start) { return start; };
  if (const auto spare = free_.spare.take(size, anywhere)) return spare;
  const std::uint64_t step = mixes() ? page_size_ : unit_;
  // Before pages_start_, metadata lies beside raw data.
  const auto first = [&](std::uint64_t start) {
    const std::uint64_t least = std::max(start, pages_start_);
    return mixes() ? round_up(least, step) : aligned(least, step);
  };
  const std::uint64_t whole = round_up(size, mixes() ? cluster_at(end_) : unit_);
  const auto found = free_.raw.take(whole, first, step);
  if (found && whole != size) free_.spare.add(*found + size, whole - size);
  return found;
}

std::uint64_t PageAllocator::take_metadata_pages(std::uint64_t size) {
  const std::uint64_t whole = round_up(size, page_size_);
  const auto free = free_pages(whole);
  const std::uint64_t address = free ? *free : append_pages(whole, Kind::metadata);
  add_metadata_pages(address, whole);
  if (free)
    for (std::uint64_t a = address; a < address + whole; a += page_size_)
      reused_pages_.insert(a / page_size_);
  return address;
}

void PageAllocator::add_metadata_pages(std::uint64_t address, std::uint64_t size) {
  const auto count = static_cast<std::uint32_t>(round_up(size, page_size_) / page_size_);
  const std::uint64_t page = address / page_size_;
  const auto end_of = [](const MetadataPageRun& r) { return r.first_page + r.page_count; };
  auto next = std::lower_bound(
      runs_.begin(), runs_.end(), page,
      [](const MetadataPageRun& r, std::uint64_t first) { return r.first_page < first; });
  if (next != runs_.begin() && end_of(*std::prev(next)) == page)
    std::prev(next)->page_count += count;
  else
    next = std::next(runs_.insert(next, {count, page}));
  if (next != runs_.end() && next->first_page == page + count) {
    std::prev(next)->page_count += next->page_count;
    runs_.erase(next);
  }
}

bool PageAllocator::is_page_end(std::uint64_t address) const {
  return (address + kSealSize) % page_size_ > page_size_ - page_size_ / kShareOfPageEnd;
}

std::uint64_t PageAllocator::seal_of(std::uint64_t address) const {
  return (address / page_size_ + 1) * page_size_ - kSealSize;
}

PageAllocator::Rest PageAllocator::metadata_rest(std::uint64_t start) const {
  return is_page_end(start) ? Rest{} : Rest{start, seal_of(start)};
}

std::uint64_t PageAllocator::first_fit(std::uint64_t start, std::uint64_t size,
                                       std::uint64_t seal) const {
  const bool whole_pages = size > page_size_ - seal;
  const bool straddles = start / page_size_ != (start + size + seal - 1) / page_size_;
  const bool next = whole_pages || straddles || (seal != 0 && is_page_end(start));
  return next ? round_up(start, page_size_) : start;
}

/// The old rest becomes free.
void PageAllocator::replace(Rest& rest, const Rest& next, FreeSpace& space) {
  space.add(rest.cursor, rest.size());
  rest = next;
}

Address PageAllocator::metadata(std::uint64_t size) {
  if (!paged_) return unpaged_metadata(size);
  const auto fits = [&](std::uint64_t start) { return first_fit(start, size, kSealSize); };
  // Pages that an object takes whole have an unused rest.
  if (size > page_size_ - kSealSize) return {take_metadata_pages(size)};
  if (const auto again = free_.metadata.take(round_up(size, kAlignment), fits, page_size_)) {
    const std::uint64_t behind = *again + round_up(size, kAlignment);
    const auto left = free_.metadata.holding(behind, 1);
    if (left && is_page_end(behind) && left->end() <= seal_of(behind))
      free_.metadata.remove(left->address, left->size);
    return {*again};
  }
  if (size > metadata_.size())
    replace(metadata_, metadata_rest(take_metadata_pages(page_size_)), free_.metadata);
  const Address address{metadata_.cursor};
  metadata_.cursor = round_up(metadata_.cursor + size, kAlignment);
  if (is_page_end(metadata_.cursor)) metadata_ = {};
  return address;
}

std::uint64_t PageAllocator::interval_of(std::uint64_t size, bool contiguous) const {
  const std::uint64_t stripe = rules_.stripe;
  const std::uint64_t interval = rules_.interval;
  const std::uint64_t threshold = rules_.threshold;
  const std::uint64_t wanted = interval != 0 ? interval : stripe;
  if (wanted < 2 || size == 0 || size < (threshold != 0 ? threshold : wanted)) return 0;
  return interval != 0 || contiguous || size % stripe == 0 ? wanted : 0;
}

Address PageAllocator::contiguous_data(std::uint64_t size) {
  const std::uint64_t interval = interval_of(size, true);
  if (!paged_) return unpaged_raw_data(size, interval);
  return interval != 0 ? aligned_raw_data(size, interval) : raw_data(size);
}

std::optional<Address> PageAllocator::contiguous_data_inside(std::uint64_t size) {
  const std::uint64_t end = end_;
  const std::uint64_t used_end = used_end_;
  Mark before = mark();
  const Address found = contiguous_data(size);
  if (end_ == end) return forget_last_mark(), found;
  undo(std::move(before));
  used_end_ = used_end;  // nothing was written
  return std::nullopt;
}

std::uint64_t PageAllocator::start_of_data(std::uint64_t start, std::uint64_t size,
                                           std::uint64_t interval) const {
  if (interval != 0) return aligned(start, interval);
  if (!paged_) return round_up(start, kAlignment);
  return size < kPagesToAlign * page_size_ ? start : first_fit(start, size, 0);
}

std::optional<Address> PageAllocator::contiguous_data_in(FreeSpace& space,
                                                         std::uint64_t size) const {
  const std::uint64_t interval = interval_of(size, true);
  const auto fits = [&](std::uint64_t start) { return start_of_data(start, size, interval); };
  const std::uint64_t room = paged_ ? round_up(size, kAlignment) : size;
  const auto found = space.take(room, fits, std::max(interval, page_size_));
  if (!found) return std::nullopt;
  return Address{*found};
}

Address PageAllocator::raw_data(std::uint64_t size) {
  const std::uint64_t interval = interval_of(size, false);
  if (!paged_) return unpaged_raw_data(size, interval);
  if (interval != 0) return aligned_raw_data(size, interval);
  if (size < kPagesToAlign * page_size_) return packed_raw_data(size);
  const auto fits = [&](std::uint64_t start) { return start_of_data(start, size, 0); };
  if (const auto again = free_.raw.take(round_up(size, kAlignment), fits, page_size_))
    return {*again};
  const std::uint64_t address = append_pages(size, Kind::raw_data);
  offer_rest({round_up(address + size, kAlignment), round_up(address + size, page_size_)});
  return {address};
}

void PageAllocator::offer_rest(const Rest& rest) {
  if (rest.size() > raw_.size())
    replace(raw_, rest, free_.raw);
  else
    free_.raw.add(rest.cursor, rest.size());
}

Address PageAllocator::aligned_raw_data(std::uint64_t size, std::uint64_t interval) {
  const auto fits = [&](std::uint64_t start) { return start_of_data(start, size, interval); };
  const std::uint64_t room = round_up(size, kAlignment);
  if (const auto again = free_.raw.take(room, fits, interval)) return {*again};
  if (const std::uint64_t start = fits(raw_.cursor); start < raw_.end && room <= raw_.end - start) {
    free_.raw.add(raw_.cursor, start - raw_.cursor);
    raw_.cursor = start + room;
    return {start};
  }
  begin_pages(Kind::raw_data, size, interval);
  const std::uint64_t address = fits(end_);
  free_.raw.add(end_, address - end_);
  end_ = round_up(address + size, page_size_);
  offer_rest({round_up(address + size, kAlignment), end_});
  return {address};
}

Address PageAllocator::packed_raw_data(std::uint64_t size) {
  if (size == 0) return {};
  const std::uint64_t interval = rules_.interval != 0 ? interval_of(size, false) : 0;
  if (!paged_) return unpaged_raw_data(size, interval);
  if (interval != 0) return aligned_raw_data(size, interval);
  const auto anywhere = [](std::uint64_t start) { return start; };
  if (const auto again = free_.raw.take(round_up(size, kAlignment), anywhere)) return {*again};
  if (size > raw_.size()) {
    if (raw_.end == end_ && raw_.size() != 0 && !leaves_first_stripe(raw_.cursor, size)) {
      append_pages(raw_.cursor + size - end_, Kind::raw_data);
      raw_.end = end_;
    } else {
      const std::uint64_t start = append_pages(size, Kind::raw_data);
      replace(raw_, {start, round_up(start + size, page_size_)}, free_.raw);
    }
  }
  const Address address{raw_.cursor};
  raw_.cursor = round_up(raw_.cursor + size, kAlignment);
  return address;
}

Address PageAllocator::unpaged_metadata(std::uint64_t size) {
  const auto fits = [](std::uint64_t start) { return round_up(start, kAlignment); };
  const std::uint64_t address = fits(end_);
  // The old bytes of freed metadata are known, so they go into the journal.
  if (const auto again = free_.metadata.take(size, fits, kAlignment)) return {*again};
  end_ = address + size;
  return {address};
}

Address PageAllocator::unpaged_raw_data(std::uint64_t size, std::uint64_t interval) {
  if (size == 0) return {};
  const std::uint64_t step = std::max(interval, kAlignment);
  const auto fits = [&](std::uint64_t start) { return start_of_data(start, size, interval); };
  if (const auto again = free_.raw.take(size, fits, step)) return {*again};
  const std::uint64_t address = fits(end_);
  if (address - end_ >= kAlignment) free_.raw.add(end_, address - end_);
  end_ = address + size;
  return {address};
}

}  // namespace onecast::pages
