#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <set>

#include "pages/page_allocator.hpp"
#include "pages/page_seal.hpp"

namespace onecast::test {

using namespace pages;

inline constexpr std::uint64_t kPage = 4096;

/// Records the allocated space, and checks its rules.
class Ledger {
 public:
  explicit Ledger(std::uint64_t page_size, std::uint64_t used) : page_(page_size) {
    take(0, used, true);
  }

  /// Records space, and expects that it is not taken yet.
  void take_anywhere(std::uint64_t address, std::uint64_t size) {
    const auto next = taken_.lower_bound(address);
    if (next != taken_.end()) {
      EXPECT_LE(address + size, next->first);
    }
    if (next != taken_.begin()) {
      EXPECT_LE(std::prev(next)->second, address);
    }
    taken_.emplace(address, address + size);
  }

  void take(std::uint64_t address, std::uint64_t size, bool metadata) {
    EXPECT_EQ(address % 8, 0U);
    take_anywhere(address, size);
    if (metadata ? size > page_ - kSealSize : size >= PageAllocator::kPagesToAlign * page_) {
      EXPECT_EQ(address % page_, 0U);
    } else if (metadata) {
      EXPECT_LE(address % page_ + size, page_ - kSealSize)
          << "straddles a page, or lies in its seal";
    }
    for (std::uint64_t p = address / page_; p <= (address + size - 1) / page_; ++p)
      (metadata ? metadata_pages_ : raw_pages_).insert(p);
  }

  void expect_pages(const PageAllocator& allocator) const {
    EXPECT_EQ(allocator.end() % page_, 0U);
    EXPECT_GE(allocator.end(), taken_.rbegin()->second);
    std::set<std::uint64_t> listed;
    std::uint64_t end = 0;
    for (const MetadataPageRun& run : allocator.metadata_runs()) {
      EXPECT_TRUE(run.first_page > end || end == 0) << "adjacent runs are one";
      end = run.first_page + run.page_count;
      for (std::uint64_t p = run.first_page; p < end; ++p) listed.insert(p);
    }
    EXPECT_EQ(listed, metadata_pages_);
    for (const std::uint64_t p : raw_pages_)
      EXPECT_FALSE(listed.contains(p)) << "page " << p << " is shared";
  }

  /// Expects that no stripe except the first holds both metadata and raw data.
  void expect_stripes(std::uint64_t stripe) const {
    std::set<std::uint64_t> with_metadata;
    for (const std::uint64_t p : metadata_pages_) with_metadata.insert(p * page_ / stripe);
    with_metadata.erase(0);
    for (const std::uint64_t p : raw_pages_)
      EXPECT_FALSE(with_metadata.contains(p * page_ / stripe)) << "page " << p;
  }

 private:
  std::uint64_t page_;
  std::map<std::uint64_t, std::uint64_t> taken_;
  std::set<std::uint64_t> metadata_pages_;
  std::set<std::uint64_t> raw_pages_;
};

inline PageListMessage message_of(const PageAllocator& a) {
  PageListMessage m;
  m.page_size = a.page_size();
  m.end_of_file_address = a.end();
  m.free_metadata = a.free_metadata();
  m.free_raw_data = a.free_raw_data();
  return m;
}

}  // namespace onecast::test
