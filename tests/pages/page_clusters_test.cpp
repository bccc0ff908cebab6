// Metadata in large runs: clusters, and stripes that hold metadata or raw data
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "pages/page_allocator.hpp"
#include "pages/page_seal.hpp"
#include "support/page_ledger.hpp"

namespace onecast::pages {
namespace {

using test::kPage;
using test::Ledger;
using test::message_of;

TEST(PageClustersTest, AStripeThatEmptiesIsForAnything) {
  constexpr std::uint64_t kStripe = 4 * kPage;
  PageAllocator a(kPage, 512);
  a.set_allocation_rules({.stripe = kStripe});
  a.metadata(3 * kPage);
  const Address four = a.metadata(4 * kPage);
  EXPECT_EQ(four.value, kStripe);
  a.metadata(kPage);
  a.free_metadata(four, kPage);
  EXPECT_EQ(a.raw_data(kPage).value, 3 * kStripe) << "three pages are metadata";
  EXPECT_EQ(a.metadata(kPage), four);
  a.free_metadata(four, 4 * kPage);
  EXPECT_EQ(a.raw_data(kStripe), four);
}

/// Allocates metadata and raw data of all sizes at random. Contiguous data of a stripe or more must
/// begin on a stripe.
void give_at_random(PageAllocator& allocator, Ledger& ledger, std::uint64_t stripe,
                    std::mt19937& random) {
  for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
    const std::uint64_t size = 1 + random() % (random() % 10 == 0 ? 3 * stripe : kPage);
    const bool metadata = random() % 3 == 0;
    const Address address = metadata            ? allocator.metadata(size)
                            : random() % 2 == 0 ? allocator.raw_data(size)
                                                : allocator.contiguous_data(size);
    ledger.take(address.value, size, metadata);
  }
}

TEST(PageClustersTest, LargeContiguousDataStartsOnAStripe) {
  for (const std::uint64_t stripe : {kPage, 4 * kPage, 256 * kPage, 3 * kPage + 8}) {
    PageAllocator a(kPage, 512);
    a.set_allocation_rules({.stripe = stripe});
    a.metadata(10);
    for (const std::uint64_t size : {stripe, 2 * stripe + 1, stripe - 1, stripe, 3 * stripe}) {
      const std::uint64_t at = a.contiguous_data(size).value;
      EXPECT_EQ(at % (size < stripe ? 8 : stripe), 0U) << stripe << ' ' << size;
      EXPECT_EQ(a.raw_data(2 * stripe).value % stripe, 0U) << "chunks of whole stripes";
      a.raw_data(stripe + 1);
      a.metadata(kPage);
    }
    if (stripe % kPage != 0) continue;
    std::mt19937 random(11);
    PageAllocator b(kPage, 512);
    b.set_allocation_rules({.stripe = stripe});
    Ledger ledger(kPage, 512);
    give_at_random(b, ledger, stripe, random);
    ledger.expect_pages(b);
  }
}

TEST(PageClustersTest, WhatIsReservedStaysForMetadata) {
  for (const std::uint64_t stripe : {std::uint64_t{0}, 4 * kPage}) {
    constexpr std::uint64_t kReserved = 16 * kPage;
    PageAllocator a(kPage, 512);
    const AllocationRules rules{.stripe = stripe, .metadata_until = kReserved - 100};
    a.set_allocation_rules(rules);
    a.reserve_metadata();
    EXPECT_EQ(a.raw_data(100).value, kReserved) << "whole pages, and whole stripes";
    std::vector<Address> pages;
    for (std::uint64_t page = 1; page < 16; ++page) {
      pages.push_back(a.metadata(kPage - kSealSize));
      EXPECT_EQ(pages.back().value, page * kPage);
    }
    EXPECT_GT(a.metadata(kPage).value, kReserved) << "it is full";
    for (int sessions = 0; sessions < 2; ++sessions) {
      for (const Address page : pages) a.free_metadata(page, kPage - kSealSize);
      EXPECT_GT(a.raw_data(kPage).value, kReserved) << "though it is empty";
      EXPECT_GT(a.contiguous_data(20 * kPage).value, kReserved);
      for (Address& page : pages) page = a.metadata(kPage - kSealSize);
      const auto stretches = a.free_stretches();
      a = PageAllocator(message_of(a), a.metadata_runs(), a.end());
      a.set_allocation_rules(rules);
      EXPECT_TRUE(a.take_over(stretches, {{Address{0}, 512}}));
    }
  }
}

TEST(PageClustersTest, HolesInFrontOfLargeDataAreUsed) {
  PageAllocator a(kPage, 512);
  a.set_allocation_rules({.stripe = 256 * kPage});
  EXPECT_EQ(a.contiguous_data(300 * kPage).value, 256 * kPage);
  EXPECT_TRUE(a.reused_pages().empty());
  EXPECT_EQ(a.metadata(kPage).value, kPage) << "what is left of the first stripe";
  EXPECT_EQ(a.raw_data(100).value, 556 * kPage);
  EXPECT_EQ(a.metadata(5 * kPage).value, 2 * kPage);
  EXPECT_EQ(a.contiguous_data(256 * kPage).value, 768 * kPage);
  EXPECT_EQ(a.contiguous_data(50 * kPage).value, 557 * kPage) << "in front of the large data";
  EXPECT_EQ(a.end(), 1024 * kPage);
  EXPECT_EQ(a.reused_pages(), (std::set<std::uint64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(a.metadata_runs().size(), 1U);
}

TEST(PageClustersTest, StripesHoldMetadataOrRawData) {
  constexpr std::uint64_t kStripe = 4 * kPage;
  PageAllocator a(kPage, 512);
  a.set_allocation_rules({.stripe = kStripe});
  EXPECT_EQ(a.raw_data(100).value, kPage) << "the first stripe may hold both";
  EXPECT_EQ(a.metadata(kPage - kSealSize).value, 2 * kPage);
  EXPECT_EQ(a.raw_data(2 * kPage).value, kStripe) << "does not fit there";
  EXPECT_EQ(a.metadata(kPage - kSealSize).value, 3 * kPage) << "what is left is for metadata";
  EXPECT_EQ(a.contiguous_data(kStripe).value, 2 * kStripe);
  EXPECT_EQ(a.raw_data(2 * kPage).value, kStripe + 2 * kPage) << "in front of the large data";
  EXPECT_EQ(a.metadata(5 * kPage).value, 3 * kStripe) << "takes whole pages";
  for (std::uint64_t again = 0; again < 3; ++again) {
    std::mt19937 random(5);
    Ledger ledger(kPage, 512);
    PageAllocator b(kPage, 512);
    b.set_allocation_rules({.stripe = kStripe});
    give_at_random(b, ledger, kStripe, random);
    if (again == 1) {
      b = PageAllocator(message_of(b), b.metadata_runs(), b.end());
      b.set_allocation_rules({.stripe = kStripe});
      give_at_random(b, ledger, kStripe, random);
    }
    ledger.expect_pages(b);
    ledger.expect_stripes(kStripe);
  }
}

/// Allocates as many flushes do: some raw data, then some metadata; with `reopens` the file is
/// opened again before each.
std::uint64_t give_in_turns(PageAllocator& a, int steps, std::uint64_t raw, std::uint64_t metadata,
                            bool reopens = false) {
  constexpr std::uint64_t kPiece = 500;
  for (int i = 0; i < steps; ++i) {
    if (reopens) {
      const auto stretches = a.free_stretches();
      a = PageAllocator(message_of(a), a.metadata_runs(), a.end());
      EXPECT_TRUE(a.take_over(stretches, {{Address{0}, 512}}));
    }
    a.raw_data(raw);
    for (std::uint64_t done = 0; done < metadata; done += kPiece) a.metadata(kPiece);
  }
  return static_cast<std::uint64_t>(steps) * (raw + metadata);
}

TEST(PageClustersTest, MetadataOfALargeFileLiesInLargeRuns) {
  for (const bool reopens : {false, true}) {
    PageAllocator a(kPage, 512);
    const std::uint64_t bytes = give_in_turns(a, 5000, 20'000, 2'000, reopens);
    // Each 32nd of the file may have one cluster of metadata. A small file has smaller clusters.
    EXPECT_LT(a.metadata_runs().size(), 100U);
    EXPECT_LT(a.end(), bytes + bytes / 16);
    EXPECT_LT(a.free_stretches().size(), 5'000U) << "rests of full pages";
    std::size_t spare = 0;
    for (const FreeStretch& s : a.free_stretches()) spare += s.is_for_metadata() ? 1U : 0U;
    EXPECT_LE(spare, 1U);
  }
}

TEST(PageClustersTest, SmallFilesHaveNoClusters) {
  for (const std::uint64_t stripe : {std::uint64_t{0}, std::uint64_t{1} << 20U}) {
    PageAllocator a(kPage, 512);
    a.set_allocation_rules({.stripe = stripe});
    EXPECT_LE(a.end(), give_in_turns(a, 10, 2'000, 500) + 2 * kPage);
    EXPECT_LE(a.end(), 7 * kPage + 2 * kPage);
    const std::uint64_t bytes = give_in_turns(a, 10, 20'000, 500);
    EXPECT_LE(a.end(), 25'000 + bytes + bytes / PageAllocator::kShareOfCluster + 2 * kPage);
  }
}

TEST(PageClustersTest, AClusterOfMetadataThatEmptiesIsForAnything) {
  PageAllocator a(kPage, 512);
  const Address large = a.raw_data(256 * kPage);  // the next cluster behind it has 8 pages
  std::vector<Address> pages;
  for (int i = 0; i < 20; ++i) pages.push_back(a.metadata(kPage - kSealSize));
  const std::uint64_t end = a.end();
  EXPECT_EQ(a.raw_data(kPage).value, end + 4 * kPage) << "behind three clusters";
  a.free_metadata(pages[8], kPage - kSealSize);
  EXPECT_EQ(a.metadata(kPage - kSealSize), pages[8]) << "one page stays for metadata";
  for (std::size_t i = 1; i < 9; ++i) a.free_metadata(pages[i], kPage - kSealSize);
  EXPECT_EQ(a.raw_data(8 * kPage), pages[1]);
  EXPECT_EQ(a.metadata(kPage - kSealSize).value, end) << "in the cluster that was not full";
  // Metadata takes a cluster from free space of raw data.
  a.free_raw_data(large, 256 * kPage);
  for (int i = 0; i < 3; ++i) a.metadata(kPage - kSealSize);
  EXPECT_EQ(a.metadata(kPage - kSealSize), large);
  EXPECT_EQ(a.raw_data(8).value, large.value + 8 * kPage);
  EXPECT_EQ(a.metadata(kPage - kSealSize).value, large.value + kPage);
}

TEST(PageClustersTest, PagesBehindAUserBlockAreCountedFromItsEnd) {
  for (const std::uint64_t stripe : {std::uint64_t{0}, 4 * kPage}) {
    PageAllocator a(kPage, 512);
    a.set_allocation_rules({.base = 1024, .stripe = stripe});
    EXPECT_EQ(a.raw_data(100).value, kPage);
    EXPECT_EQ(a.metadata(kPage).value, 2 * kPage);
    const std::uint64_t large = a.contiguous_data(4 * kPage).value;
    EXPECT_EQ(large, stripe == 0 ? 3 * kPage : 4 * kPage - 1024) << "on a stripe of the file";
    EXPECT_EQ(a.end() % kPage, 0U);
  }
}

}  // namespace
}  // namespace onecast::pages
