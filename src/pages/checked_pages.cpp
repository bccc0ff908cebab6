#include "pages/checked_pages.hpp"

#include <algorithm>
#include <iterator>

#include "pages/page_seal.hpp"

namespace onecast::pages {

CheckedPages::CheckedPages(const PageList& list) {
  if (list.page_size() > kLargestPage) return;
  page_size_ = list.page_size();
  std::uint64_t pages = 0;
  for (const MetadataPageRun& run : list.runs) {
    runs_.push_back({run.first_page, run.page_count, pages});
    pages += run.page_count;
  }
  states_ = std::vector<std::atomic<std::uint8_t>>(static_cast<std::size_t>(pages));
}

bool CheckedPages::is_sealed(const BlockCache& blocks, Address address,
                             std::uint64_t length) const {
  if (runs_.empty()) return false;
  const std::uint64_t page = address.value / page_size_;
  const Address start{page * page_size_};
  if (length > page_size_ - (address.value - start.value)) return false;
  std::atomic<std::uint8_t>* state = state_of(page);
  if (state == nullptr) return false;
  if (const std::uint8_t known = state->load(std::memory_order_relaxed); known != unknown)
    return known == sealed;
  const std::optional<ByteView> bytes = blocks.in_memory(start, page_size_);
  if (!bytes) return false;
  const bool is_right = pages::is_sealed(start, *bytes);
  state->store(is_right ? sealed : without_seal, std::memory_order_relaxed);
  return is_right;
}

std::atomic<std::uint8_t>* CheckedPages::state_of(std::uint64_t page) const {
  const auto next =
      std::upper_bound(runs_.begin(), runs_.end(), page,
                       [](std::uint64_t p, const Run& run) { return p < run.first_page; });
  if (next == runs_.begin()) return nullptr;
  const Run& run = *std::prev(next);
  const std::uint64_t offset = page - run.first_page;
  return offset < run.page_count ? &states_[static_cast<std::size_t>(run.states_at + offset)]
                                 : nullptr;
}

}  // namespace onecast::pages
