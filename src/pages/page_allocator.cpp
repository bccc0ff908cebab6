#include "pages/page_allocator.hpp"

#include <algorithm>

#include "format/record.hpp"
#include "pages/boot_page.hpp"

namespace onecast {
namespace {

constexpr std::uint64_t kAlignment = 8;

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

PageAllocator::PageAllocator(std::uint64_t page_size, std::uint64_t used)
    : page_size_(page_size), end_(page_size), runs_{{1, 0}}, metadata_{used, page_size} {}

PageAllocator::PageAllocator(const PageListMessage& message, std::vector<MetadataPageRun> runs,
                             std::uint64_t end)
    : page_size_(message.page_size), end_(round_up(end, page_size_)), runs_(std::move(runs)) {
  const auto rest = [&](Address free, bool metadata) -> Rest {
    if (free.value < kBootSize || free.value >= end_ || free.value % kAlignment != 0) return {};
    const std::uint64_t page = free.value / page_size_;
    if (is_metadata_page(page) != metadata) return {};
    return {free.value, (page + 1) * page_size_};
  };
  metadata_ = rest(message.free_metadata, true);
  raw_ = rest(message.free_raw_data, false);
}

bool PageAllocator::is_metadata_page(std::uint64_t page) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const MetadataPageRun& r) {
    return page >= r.first_page && page - r.first_page < r.page_count;
  });
}

std::uint64_t PageAllocator::take_pages(std::uint64_t size) {
  const std::uint64_t address = end_;
  end_ += round_up(size, page_size_);
  return address;
}

void PageAllocator::add_metadata_pages(std::uint64_t address, std::uint64_t size) {
  const auto count = static_cast<std::uint32_t>(round_up(size, page_size_) / page_size_);
  const std::uint64_t page = address / page_size_;
  // New pages are behind all others.
  if (!runs_.empty() && runs_.back().first_page + runs_.back().page_count == page)
    runs_.back().page_count += count;
  else
    runs_.push_back({count, page});
}

Address PageAllocator::metadata(std::uint64_t size) {
  if (size >= page_size_) {
    const std::uint64_t address = take_pages(size);
    add_metadata_pages(address, size);
    return {address};
  }
  if (size > metadata_.end - std::min(metadata_.cursor, metadata_.end)) {
    const std::uint64_t address = take_pages(page_size_);
    add_metadata_pages(address, page_size_);
    metadata_ = {address, address + page_size_};
  }
  const Address address{metadata_.cursor};
  metadata_.cursor = round_up(metadata_.cursor + size, kAlignment);
  return address;
}

Address PageAllocator::raw_data(std::uint64_t size) {
  if (size == 0) return {};
  if (size >= page_size_) {
    const std::uint64_t address = take_pages(size);
    // Small data goes on where the large ends, unless more is left elsewhere.
    const Rest rest{round_up(address + size, kAlignment), end_};
    if (rest.end - std::min(rest.cursor, rest.end) > raw_.end - std::min(raw_.cursor, raw_.end))
      raw_ = rest;
    return {address};
  }
  if (size > raw_.end - std::min(raw_.cursor, raw_.end)) {
    const bool adjacent = raw_.end == end_ && raw_.cursor < raw_.end;
    const std::uint64_t address = take_pages(page_size_);
    raw_ = {adjacent ? raw_.cursor : address, address + page_size_};
  }
  const Address address{raw_.cursor};
  raw_.cursor = round_up(raw_.cursor + size, kAlignment);
  return address;
}

}  // namespace onecast
