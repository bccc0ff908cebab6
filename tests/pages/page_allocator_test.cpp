#include "pages/page_allocator.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

#include "pages/draft_allocator.hpp"
#include "pages/page_seal.hpp"
#include "support/page_ledger.hpp"

namespace onecast::pages {
namespace {

using test::kPage;
using test::Ledger;
using test::message_of;

TEST(PageAllocatorTest, KeepsItsRulesOverRandomCallsAndReopening) {
  std::mt19937 random(7);
  for (const std::uint64_t page : {std::uint64_t{4096}, std::uint64_t{65536}}) {
    PageAllocator allocator(page, 512);
    Ledger ledger(page, 512);
    for (int i = 0; i < 3000; ++i) {
      const bool metadata = random() % 2 == 0;
      const std::uint64_t size =
          1 + (random() % 10 == 0 ? random() % (4 * page) : random() % (page / 5));
      const Address address = metadata ? allocator.metadata(size) : allocator.raw_data(size);
      ledger.take(address.value, size, metadata);
      if (random() % 20 == 0)
        allocator =
            PageAllocator(message_of(allocator), allocator.metadata_runs(), allocator.end());
      if (testing::Test::HasFailure()) return;
    }
    ledger.expect_pages(allocator);
  }
}

TEST(PageAllocatorTest, KnowsWhereSomethingWasBefore) {
  PageAllocator allocator(4096, 512);
  const Address first = allocator.raw_data(5000);
  const Address second = allocator.raw_data(5000);
  EXPECT_FALSE(allocator.was_used(first, 5000));
  allocator.free_raw_data(first, 5000);
  const Address again = allocator.raw_data(4500);
  EXPECT_EQ(again, first);
  EXPECT_TRUE(allocator.was_used(again, 4500));
  EXPECT_FALSE(allocator.was_used(second, 5000));
  EXPECT_FALSE(allocator.was_used(allocator.raw_data(100'000), 100'000));

  // For a file that is opened again, nothing is known about used space.
  PageAllocator reopened(message_of(allocator), allocator.metadata_runs(), allocator.end());
  EXPECT_TRUE(reopened.was_used(second, 1));
  EXPECT_FALSE(reopened.was_used(reopened.raw_data(100'000), 100'000));
  PageAllocator foreign = PageAllocator::behind(4096, 10'000);
  EXPECT_TRUE(foreign.was_used(Address{9'999}, 1));
  EXPECT_FALSE(foreign.was_used(foreign.raw_data(100), 100));
}

TEST(PageAllocatorTest, ADraftThatIsGivenUpMayHaveWritten) {
  PageAllocator allocator(4096, 512);
  const Address known = allocator.raw_data(5000);
  {
    DraftAllocator draft(allocator);
    draft->raw_data(50'000);
    draft.keep();
  }
  EXPECT_FALSE(allocator.was_used(known, 5000));
  {
    DraftAllocator draft(allocator);
    draft->raw_data(10'000);
  }
  const Address again = allocator.raw_data(10'000);
  EXPECT_TRUE(allocator.was_used(again, 10'000));
  EXPECT_FALSE(allocator.was_used(allocator.raw_data(100'000), 100'000));
}

TEST(PageAllocatorTest, ANewFileStartsInPageZero) {
  PageAllocator a(kPage, 512);
  EXPECT_EQ(a.end(), kPage);
  EXPECT_EQ(a.free_metadata().value, 512U);
  EXPECT_FALSE(a.free_raw_data().is_defined());
  EXPECT_EQ(a.metadata(100).value, 512U);
  EXPECT_EQ(a.metadata(8).value, 616U);  // rounded to 8
  EXPECT_EQ(a.metadata(kPage - 624 - kSealSize).value, 624U);
  EXPECT_FALSE(a.free_metadata().is_defined()) << "page 0 is full";
  EXPECT_EQ(a.metadata(1).value, kPage);
  ASSERT_EQ(a.metadata_runs().size(), 1U);
  EXPECT_EQ(a.metadata_runs()[0].page_count, 2U);
}

TEST(PageAllocatorTest, LargeMetadataTakesWholePages) {
  PageAllocator a(kPage, 512);
  EXPECT_EQ(a.metadata(kPage).value, kPage);
  EXPECT_EQ(a.metadata(kPage + 1).value, 2 * kPage);
  EXPECT_EQ(a.end(), 4 * kPage);
  EXPECT_EQ(a.metadata(100).value, 512U) << "the rest of page 0 is still used";
}

TEST(PageAllocatorTest, SmallRawDataIsPackedAndLargeStartsOnAPage) {
  PageAllocator a(kPage, 512);
  EXPECT_FALSE(a.raw_data(0).is_defined());
  EXPECT_EQ(a.raw_data(10).value, kPage);
  EXPECT_EQ(a.raw_data(10).value, kPage + 16);
  EXPECT_EQ(a.raw_data(kPage).value, kPage + 32) << "straddles pages";
  constexpr std::uint64_t kLarge = PageAllocator::kPagesToAlign * kPage;
  EXPECT_EQ(a.raw_data(kLarge + 100).value, 3 * kPage);
  EXPECT_EQ(a.raw_data(4000).value, 2 * kPage + 32) << "in front of the large data";
  EXPECT_EQ(a.raw_data(2000).value, 3 * kPage + kLarge + 104) << "behind the large data";
  EXPECT_EQ(a.end(), 4 * kPage + kLarge);
  EXPECT_EQ(a.metadata_runs().size(), 1U);
}

TEST(PageAllocatorTest, PackedDataHasNoGaps) {
  PageAllocator a(kPage, 512);
  EXPECT_EQ(a.packed_raw_data(kPage + 1).value, kPage);
  EXPECT_EQ(a.packed_raw_data(3 * kPage).value, 2 * kPage + 8);
  EXPECT_EQ(a.metadata(kPage).value, 6 * kPage);
  EXPECT_EQ(a.packed_raw_data(kPage).value, 7 * kPage) << "another page stands between";
  EXPECT_EQ(a.packed_raw_data(4000).value, 5 * kPage + 8) << "but what is left there is not lost";
}

TEST(PageAllocatorTest, WhatIsGivenBackIsUsedAgain) {
  PageAllocator a(kPage, 512);
  const Address first = a.metadata(1000);
  const Address second = a.metadata(1000);
  a.metadata(1000);
  const Address raw = a.raw_data(500);
  a.raw_data(8);
  const std::uint64_t end = a.end();
  a.free_metadata(first, 1000);
  a.free_raw_data(raw, 500);
  EXPECT_NE(a.metadata(1100), first) << "too small";
  a.free_metadata(second, 1000);
  EXPECT_EQ(a.metadata(1100), first) << "neighbours are joined";
  EXPECT_EQ(a.metadata(500).value, 3512U) << "the smallest stretch that fits";
  EXPECT_EQ(a.raw_data(400), raw);
  EXPECT_EQ(a.raw_data(96).value, raw.value + 400);
  EXPECT_GE(a.end(), end);
}

TEST(PageAllocatorTest, APageThatEmptiesIsForAnything) {
  PageAllocator a(kPage, 512);
  const std::uint64_t rest = kPage - 512 - kSealSize;
  a.metadata(rest);
  const Address first = a.metadata(3000);
  const Address second = a.metadata(1000);
  const Address large = a.metadata(kPage + 1);
  const Address last = a.metadata(3 * kPage);
  const std::uint64_t end = a.end();
  a.free_metadata(first, 3000);
  EXPECT_EQ(a.metadata_runs()[0].page_count, 7U);
  a.free_metadata(second, 1000);
  a.free_metadata(large, kPage + 1);
  ASSERT_EQ(a.metadata_runs().size(), 2U) << "the pages in between are dead";
  EXPECT_EQ(a.metadata_runs()[1].first_page, last.value / kPage);
  EXPECT_EQ(a.raw_data(2 * kPage).value, kPage);
  EXPECT_EQ(a.metadata(100).value, 3 * kPage) << "and back";
  EXPECT_EQ(a.reused_pages(), std::set<std::uint64_t>{3});
  a.free_metadata(last, 3 * kPage);
  EXPECT_EQ(a.raw_data(3 * kPage), last);
  EXPECT_EQ(a.end(), end);
}

TEST(PageAllocatorTest, LittleAtTheEndOfAPageWaitsUntilMoreIsFree) {
  constexpr std::uint64_t kRest = kPage - 512 - kSealSize;
  for (const bool reopens : {false, true}) {
    PageAllocator a(kPage, 512);
    const Address first = a.metadata(kRest - 104);
    a.metadata(200);
    if (reopens) {
      const auto stretches = a.free_stretches();
      a = PageAllocator(message_of(a), a.metadata_runs(), a.end());
      ASSERT_TRUE(a.take_over(stretches, {}));
    }
    EXPECT_EQ(a.metadata(96).value, kPage + 200) << "not in the page before";
    EXPECT_TRUE(a.free_stretches().empty()) << "the list stays short";
    a.free_metadata(first, kRest - 104);
    EXPECT_EQ(a.metadata(reopens ? kRest - 104 : kRest), first);
    EXPECT_TRUE(a.free_stretches().empty());
  }
}

TEST(PageAllocatorTest, WhatIsFreeLivesOn) {
  std::mt19937 random(17);
  PageAllocator a(kPage, 512);
  std::vector<std::tuple<Address, std::uint64_t, bool>> given;
  std::uint64_t end = 0;
  for (int i = 0; i < 20000; ++i) {
    if (given.size() > 200) {
      std::swap(given[random() % given.size()], given.back());
      const auto [address, size, metadata] = given.back();
      given.pop_back();
      metadata ? a.free_metadata(address, size) : a.free_raw_data(address, size);
    } else {
      const bool metadata = random() % 2 == 0;
      const std::uint64_t size = 1 + random() % (random() % 20 == 0 ? 3 * kPage : kPage / 3);
      given.emplace_back(metadata ? a.metadata(size) : a.raw_data(size), size, metadata);
    }
    if (i % 7 == 0) {
      PageAllocator again(message_of(a), a.metadata_runs(), a.end());
      ASSERT_TRUE(again.take_over(a.free_stretches(), {{Address{0}, 512}}));
      a = again;
    }
    if (i == 10000) end = a.end();
  }
  EXPECT_LT(a.end(), end + end / 4) << "the file does not grow for ever";
  Ledger ledger(kPage, 512);
  for (const auto& [address, size, metadata] : given) ledger.take(address.value, size, metadata);
  for (const FreeStretch& s : a.free_stretches()) ledger.take_anywhere(s.address.value, s.size());
}

TEST(PageAllocatorTest, HostileStretchesAreIgnored) {
  // Pages 0 and 1 are metadata, 2 and 3 are raw data.
  PageListMessage m;
  m.page_size = kPage;
  m.free_metadata = Address{kPage + 3000};
  m.free_raw_data = Address{3 * kPage + 3000};
  const auto takes = [&](std::uint64_t address, std::uint64_t size) {
    PageAllocator a(m, {{2, 0}}, 4 * kPage);
    const std::vector<FreeStretch> stretches{{Address{600}, 8}, {Address{address}, size}};
    const bool all = a.take_over(stretches, {{Address{1000}, 100}, {Address{3 * kPage}, 8}});
    EXPECT_EQ(a.free_stretches().size(), all ? 2U : 0U);
    return all;
  };
  EXPECT_TRUE(takes(2 * kPage, kPage));
  EXPECT_TRUE(takes(1104, 96));
  EXPECT_FALSE(takes(1000, 100)) << "in use";
  EXPECT_FALSE(takes(900, 101)) << "in use";
  EXPECT_FALSE(takes(2 * kPage, kPage + 1)) << "in use";
  EXPECT_FALSE(takes(700, kPage)) << "more than one metadata page";
  EXPECT_FALSE(takes(kPage + 2000, 1001)) << "in the rest";
  EXPECT_FALSE(takes(3 * kPage + 3000, 8)) << "in the rest of raw data";
  EXPECT_FALSE(takes(4 * kPage - 8, 16)) << "beyond the end";
  EXPECT_FALSE(takes(2 * kPage, FreeStretch::kForMetadata | 8U)) << "not whole pages";
}

TEST(PageAllocatorTest, MetadataThatIsUsedAgainDoesNotStraddle) {
  std::mt19937 random(3);
  PageAllocator a(kPage, 512);
  struct Piece {
    Address address;
    std::uint64_t size;
    bool metadata;
  };
  std::vector<Piece> pieces;
  std::uint64_t end = 0;
  for (int i = 0; i < 20000; ++i) {
    if (pieces.size() > 100 || (random() % 2 == 0 && !pieces.empty())) {
      std::swap(pieces[random() % pieces.size()], pieces.back());
      const Piece p = pieces.back();
      pieces.pop_back();
      p.metadata ? a.free_metadata(p.address, p.size) : a.free_raw_data(p.address, p.size);
    } else {
      const bool metadata = random() % 2 == 0;
      const std::uint64_t size = 1 + random() % (random() % 10 == 0 ? 3 * kPage : kPage / 3);
      const Address at = metadata ? a.metadata(size) : a.raw_data(size);
      pieces.push_back({at, size, metadata});
    }
    if (i == 10000) end = a.end();
  }
  Ledger ledger(kPage, 512);
  for (const Piece& p : pieces) ledger.take(p.address.value, p.size, p.metadata);
  EXPECT_LT(a.end(), 2 * end) << "the file does not grow for ever";
}

TEST(PageAllocatorTest, AlignmentAsAskedFor) {
  PageAllocator a(kPage, 512);
  a.set_allocation_rules({.base = 512, .interval = 1000, .threshold = 200});
  Ledger ledger(kPage, 512);
  std::mt19937 random(9);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t size = 1 + random() % (random() % 10 == 0 ? 3 * kPage : 400);
    const std::uint64_t at = (i % 3 == 0   ? a.contiguous_data(size)
                              : i % 3 == 1 ? a.raw_data(size)
                                           : a.packed_raw_data(size))
                                 .value;
    if (size >= 200) {
      EXPECT_EQ((at + 512) % 1000, 0U) << size;
    }
    a.metadata(100);
    ledger.take_anywhere(at, size);
  }
  PageAllocator none(kPage, 512);
  none.set_allocation_rules({.stripe = 100 * kPage, .interval = 1});
  EXPECT_EQ(none.contiguous_data(200 * kPage).value, kPage) << "an interval of 1: no alignment";
}

TEST(PageAllocatorTest, GoesOnWhereTheListSays) {
  PageAllocator first(kPage, 512);
  first.metadata(100);
  first.raw_data(100);
  PageAllocator again(message_of(first), first.metadata_runs(), first.end());
  EXPECT_EQ(again.end(), first.end());
  EXPECT_EQ(again.metadata(10).value, first.metadata(10).value);
  EXPECT_EQ(again.raw_data(10).value, first.raw_data(10).value);
}

TEST(PageAllocatorTest, AFileThatGrewIsNotOverwritten) {
  PageAllocator first(kPage, 512);
  PageAllocator again(message_of(first), first.metadata_runs(), 3 * kPage + 1);
  EXPECT_EQ(again.end(), 4 * kPage);
  EXPECT_EQ(again.raw_data(1).value, 4 * kPage);
}

TEST(PageAllocatorTest, HostileRestsAreIgnored) {
  // Pages 0 and 1 are metadata, 2 is raw data.
  const std::vector<MetadataPageRun> runs{{2, 0}};
  constexpr std::uint64_t kEnd = 3 * kPage;
  const auto with = [&](std::uint64_t metadata, std::uint64_t raw) {
    PageListMessage m;
    m.page_size = kPage;
    m.free_metadata = Address{metadata};
    m.free_raw_data = Address{raw};
    return PageAllocator(m, runs, kEnd);
  };
  EXPECT_EQ(with(kPage + 8, 2 * kPage + 8).free_metadata().value, kPage + 8);
  EXPECT_EQ(with(kPage + 8, 2 * kPage + 8).free_raw_data().value, 2 * kPage + 8);
  constexpr std::uint64_t kUndefined = Address::kUndefined;
  const std::uint64_t not_metadata[] = {kUndefined,    kEnd,           kEnd + 8, kPage + 4,
                                        2 * kPage + 8, kUndefined - 7, 0,        504};
  for (const std::uint64_t bad : not_metadata)
    EXPECT_FALSE(with(bad, kUndefined).free_metadata().is_defined()) << bad;
  const std::uint64_t not_raw[] = {kUndefined, kEnd, kEnd + 8,      2 * kPage + 4,
                                   kPage + 8,  0,    kUndefined - 7};
  for (const std::uint64_t bad : not_raw)
    EXPECT_FALSE(with(kUndefined, bad).free_raw_data().is_defined()) << bad;
  EXPECT_EQ(with(kUndefined, kUndefined).metadata(8).value, kEnd);
}

}  // namespace
}  // namespace onecast::pages
