#include "collective/transfer_plan.hpp"

#include <gtest/gtest.h>

#include <set>

namespace onecast::collective {
namespace {

constexpr std::size_t kRanks = 4;
const StripeLayout kPlainDisk{};
const StripeLayout kStripes{1 << 20U, 4, StripeLayout::Source::pretended};

AskedTransfer asks(TransferDirection direction, Method method = Method::automatic,
                   Comparing sharing = Comparing::automatic) {
  return {direction, method, sharing, kRanks};
}

/// Returns the summary of interleaved small pieces of all ranks.
AccessSummary interleaved() {
  AccessSummary all;
  for (std::uint64_t rank = 0; rank < kRanks; ++rank) {
    ExtentListBuilder builder;
    for (std::uint64_t i = 0; i < 100; ++i) builder.add((i * kRanks + rank) * 10, 10);
    all = combined(all, summary_of(builder.take()), kPlainDisk.stripe_size);
  }
  return all;
}

TransferPlan read_plan(const KnownTransfer& known, Method method = Method::automatic,
                       Comparing sharing = Comparing::automatic) {
  return plan_transfer(asks(TransferDirection::reading, method, sharing), known, kPlainDisk);
}

TEST(TransferMethods, EachHasItsNameAndItsDeeds) {
  std::set<std::string_view> names;
  for (const TransferMethodEntry* entry : transfer_methods()) {
    EXPECT_TRUE(names.insert(entry->name).second) << entry->name;
    EXPECT_EQ(method_named(entry->name), entry->method);
    EXPECT_EQ(&entry_of(entry->method), entry);
    EXPECT_TRUE(entry->suits != nullptr && entry->write != nullptr && entry->read != nullptr);
  }
  EXPECT_EQ(method_named("automatic"), Method::automatic);
  EXPECT_EQ(name_of(Method::serve), "serve");
  EXPECT_THROW(static_cast<void>(method_named("serve")), std::logic_error);
  EXPECT_THROW(static_cast<void>(entry_of(Method::none)), std::logic_error);
}

TEST(TransferPlan, WhatAllWantIsReadOnce) {
  const KnownTransfer same{.wanted = interleaved(), .same = true, .reads_the_file = true};
  EXPECT_TRUE(read_plan(same).all_hear);
  EXPECT_TRUE(read_plan(same, Method::independent).all_hear);
  EXPECT_FALSE(read_plan(same, Method::plain).all_hear);
  EXPECT_EQ(read_plan(same, Method::plain).extents.method, Method::plain);
  EXPECT_EQ(read_plan({.wanted = {}, .same = true}).told.method, Method::none);
  EXPECT_TRUE(read_plan({.wanted = {}, .reads_the_file = true}, Method::automatic, Comparing::trust)
                  .all_hear);
}

TEST(TransferPlan, WhatRanksWantForThemselves) {
  const KnownTransfer different{
      .wanted = interleaved(), .small_pieces = true, .reads_the_file = true};
  EXPECT_EQ(read_plan(different).told.method, Method::collective);
  EXPECT_TRUE(read_plan(different).counts);
  EXPECT_EQ(read_plan(different, Method::independent).told.method, Method::independent);
  EXPECT_TRUE(read_plan(different, Method::automatic, Comparing::verify).is_refused);
  // Ranks do not serve small pieces to each other in groups.
  EXPECT_EQ(read_plan(different, Method::automatic, Comparing::serve).extents.method,
            Method::collective);
  KnownTransfer large = different;
  large.small_pieces = false;
  EXPECT_EQ(read_plan(large, Method::automatic, Comparing::serve).told.method, Method::serve);
  large.groups = false;
  EXPECT_EQ(read_plan(large, Method::automatic, Comparing::serve).told.method, Method::independent);
}

TEST(TransferPlan, WhatLiesElsewhere) {
  KnownTransfer chunks{.wanted = {},
                       .reads_the_file = true,
                       .elsewhere = true,
                       .same_elsewhere = false,
                       .decodes = true};
  EXPECT_TRUE(read_plan(chunks).looks_for_shared_chunks);
  EXPECT_FALSE(read_plan(chunks, Method::independent).looks_for_shared_chunks);
  EXPECT_EQ(read_plan(chunks).elsewhere.method, Method::independent);
  chunks.shares_chunks = true;
  EXPECT_EQ(read_plan(chunks).elsewhere.method, Method::chunked);
  chunks.wanted = interleaved();  // of a list of datasets
  EXPECT_EQ(read_plan(chunks).elsewhere.method, Method::chunked);
  EXPECT_EQ(read_plan(chunks).told.method, Method::collective);
  chunks.same_elsewhere = true;
  EXPECT_EQ(read_plan(chunks).elsewhere.method, Method::broadcast);
  const AskedTransfer writing = asks(TransferDirection::writing);
  EXPECT_EQ(plan_transfer(writing, {.wanted = {}, .new_chunks = true}, kPlainDisk).told.method,
            Method::chunked);
  EXPECT_EQ(plan_transfer(writing, {.wanted = {}, .compact = true}, kPlainDisk).told.method,
            Method::none);
}

TEST(TransferPlan, WritesForWhichNoRankWaitsAreOfTheMethodAskedFor) {
  for (const TransferMethodEntry* entry : transfer_methods()) {
    const AskedTransfer asked = asks(TransferDirection::writing, entry->method);
    const bool waits =
        before_agreement(asked, {.pieces = 1, .bytes = 1}, kPlainDisk) == BeforeAgreement::waits;
    EXPECT_EQ(waits, entry->transfers_for_others) << entry->name;
    EXPECT_EQ(plan_transfer(asked, {}, kPlainDisk).told.method,
              waits ? Method::plain : entry->method)
        << entry->name;
  }
}

TEST(TransferPlan, WhoWritesBeforeTheAgreement) {
  const auto before = [](const OwnPart& mine, const StripeLayout& layout,
                         Method method = Method::automatic,
                         Comparing sharing = Comparing::automatic) {
    return before_agreement(asks(TransferDirection::writing, method, sharing), mine, layout);
  };
  const OwnPart few{.pieces = 2, .bytes = 100};
  const OwnPart many{.pieces = 200, .bytes = 10'000};
  EXPECT_EQ(before({}, kStripes), BeforeAgreement::writes);
  EXPECT_EQ(before(few, kPlainDisk), BeforeAgreement::writes);
  EXPECT_EQ(before(few, kPlainDisk, Method::automatic, Comparing::verify), BeforeAgreement::waits);
  EXPECT_EQ(before(few, kPlainDisk, Method::broadcast), BeforeAgreement::waits);
  EXPECT_EQ(before(few, kStripes), BeforeAgreement::waits);
  EXPECT_EQ(before(few, kStripes, Method::independent), BeforeAgreement::writes);
  EXPECT_EQ(before(many, kPlainDisk), BeforeAgreement::waits);
  EXPECT_EQ(before(many, kPlainDisk, Method::plain), BeforeAgreement::writes);
  OwnPart all{.pieces = 1, .bytes = 1000, .is_all = true};
  EXPECT_EQ(before(all, kPlainDisk), BeforeAgreement::waits);
  all.is_of_highest_rank = true;
  EXPECT_EQ(before(all, kPlainDisk), BeforeAgreement::writes_for_all);
  all.bytes = 1 << 20U;
  EXPECT_EQ(before(all, kPlainDisk), BeforeAgreement::waits);
}

}  // namespace
}  // namespace onecast::collective
