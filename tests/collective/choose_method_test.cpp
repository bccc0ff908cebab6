#include "collective/choose_method.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace onecast::collective {
namespace {

constexpr std::uint64_t kMiB = 1 << 20U;

ExtentList one_piece(std::uint64_t offset, std::uint64_t length) {
  ExtentListBuilder builder;
  builder.add(offset, length);
  return builder.take();
}

ExtentList strided(std::uint64_t offset, std::uint64_t length, std::uint64_t stride, int count) {
  ExtentListBuilder builder;
  for (int i = 0; i < count; ++i)
    builder.add(offset + static_cast<std::uint64_t>(i) * stride, length);
  return builder.take();
}

const StripeLayout kPlainDisk{};
const StripeLayout kLustre{kMiB, 4, StripeLayout::Source::lustre};

AccessSummary summary_of_all(const std::vector<ExtentList>& lists, std::uint64_t stripe) {
  AccessSummary all;
  for (const ExtentList& list : lists) all = combined(all, summary_of(list), stripe);
  return all;
}

Method chosen(TransferDirection direction, const std::vector<ExtentList>& lists,
              const StripeLayout& layout, Method forced = Method::automatic,
              std::size_t nodes = 1) {
  const Choice choice = choose_method(direction, summary_of_all(lists, layout.stripe_size), layout,
                                      lists.size(), nodes, forced);
  EXPECT_FALSE(choice.reason().empty());
  return choice.method;
}
Method for_writing(const std::vector<ExtentList>& lists, const StripeLayout& layout) {
  return chosen(TransferDirection::writing, lists, layout);
}

TEST(AccessSummary, AddsUpInAnyGrouping) {
  const std::vector<ExtentList> lists{one_piece(0, 10), {}, one_piece(10, 5), strided(20, 2, 4, 3)};
  const auto sum = [](const AccessSummary& a, const AccessSummary& b) { return combined(a, b, 8); };
  std::vector<AccessSummary> s;
  for (const ExtentList& list : lists) s.push_back(summary_of(list));
  const AccessSummary all = sum(sum(sum(s[0], s[1]), s[2]), s[3]);
  EXPECT_EQ(all, sum(s[0], sum(s[1], sum(s[2], s[3]))));
  EXPECT_EQ(all, sum(sum(s[0], s[1]), sum(s[2], s[3])));
  EXPECT_EQ(all.low, 0U);
  EXPECT_EQ(all.high, 30U);
  EXPECT_EQ(all.bytes, 21U);
  EXPECT_EQ(all.pieces, 5U);
  EXPECT_EQ(all.ranks, 3U);
  EXPECT_EQ(all.least_bytes, 5U);
  EXPECT_TRUE(all.ordered);
  EXPECT_FALSE(all.apart) << "the first two share a stripe";
  EXPECT_FALSE(all.same);
}

TEST(ChooseMethod, ByTheTable) {
  EXPECT_EQ(for_writing({{}, {}}, kLustre), Method::plain);
  const std::vector<ExtentList> one{{}, strided(0, 4, 8, 100)};
  EXPECT_EQ(for_writing(one, kPlainDisk), Method::plain);
  EXPECT_EQ(chosen(TransferDirection::reading, one, kLustre), Method::plain);
  EXPECT_EQ(for_writing(one, kLustre), Method::collective) << "it would take locks of others";
  EXPECT_EQ(for_writing({one_piece(0, 64), one_piece(0, 64)}, kLustre), Method::broadcast);
  EXPECT_EQ(for_writing({one_piece(0, 64), one_piece(0, 64), {}}, kLustre), Method::collective);
  // Each rank has stripes of its own.
  EXPECT_EQ(for_writing({{}, one_piece(0, 64 * kMiB)}, kLustre), Method::collective);
  EXPECT_EQ(for_writing({{}, strided(0, 2 * kMiB, 4 * kMiB, 16)}, kLustre), Method::collective);
  const std::vector<ExtentList> apart{one_piece(0, 4 * kMiB), one_piece(4 * kMiB, 5 * kMiB)};
  EXPECT_EQ(for_writing(apart, kLustre), Method::plain);
  const std::vector<ExtentList> little{one_piece(0, 64), one_piece(kMiB, 64)};
  EXPECT_EQ(for_writing(little, kLustre), Method::collective) << "not on every target";
  EXPECT_EQ(chosen(TransferDirection::reading, little, kLustre), Method::plain);
  EXPECT_EQ(
      for_writing({strided(0, kMiB, 2 * kMiB, 4), strided(8 * kMiB, kMiB, 2 * kMiB, 4)}, kLustre),
      Method::independent);
  // The pieces are large, but do not end on stripe boundaries.
  const std::vector<ExtentList> large{one_piece(100, 4 * kMiB),
                                      one_piece(100 + 4 * kMiB, 4 * kMiB)};
  EXPECT_EQ(for_writing(large, kLustre), Method::edges);
  EXPECT_EQ(for_writing({one_piece(100, 3 * kMiB), one_piece(100 + 3 * kMiB, 4 * kMiB)}, kLustre),
            Method::collective)
      << "a rank has no stripe on one of the targets";
  EXPECT_EQ(for_writing(large, kPlainDisk), Method::plain);
  EXPECT_EQ(chosen(TransferDirection::reading, large, kLustre), Method::plain);
  // The pieces are not interleaved.
  const std::vector<ExtentList> middling{one_piece(0, 100000), one_piece(100000, 100000)};
  EXPECT_EQ(for_writing(middling, kPlainDisk), Method::independent);
  EXPECT_EQ(for_writing(middling, kLustre), Method::collective);
  const std::vector<ExtentList> interleaved{strided(0, 100000, 200000, 3),
                                            strided(100000, 100000, 200000, 3)};
  EXPECT_EQ(for_writing(interleaved, kPlainDisk), Method::collective);
  EXPECT_EQ(chosen(TransferDirection::reading, interleaved, kPlainDisk), Method::independent);
  // There are few pieces.
  const std::vector<ExtentList> few{one_piece(0, 100), one_piece(100, 100)};
  EXPECT_EQ(for_writing(few, kPlainDisk), Method::independent);
  EXPECT_EQ(for_writing(few, kLustre), Method::collective);
  EXPECT_EQ(chosen(TransferDirection::reading, few, kLustre), Method::independent);
  EXPECT_EQ(
      chosen(TransferDirection::reading, std::vector<ExtentList>(300, one_piece(0, 100)), kLustre),
      Method::broadcast);
  const std::vector<ExtentList> patches{strided(0, 128, 256, 32), strided(128, 128, 256, 32)};
  EXPECT_EQ(chosen(TransferDirection::reading, patches, kPlainDisk), Method::independent);
  EXPECT_EQ(chosen(TransferDirection::reading, patches, kLustre), Method::collective);
  EXPECT_EQ(for_writing(patches, kPlainDisk), Method::collective) << "they may overlap";
  EXPECT_TRUE(is_worth_its_calls(TransferDirection::writing, 11, 6400));
  EXPECT_FALSE(is_worth_its_calls(TransferDirection::writing, 12, 6400));
  EXPECT_TRUE(is_worth_its_calls(TransferDirection::reading, 32, 4096));
  EXPECT_FALSE(is_worth_its_calls(TransferDirection::reading, 50, 6400));
  // The pieces are small, or interleaved.
  const std::vector<ExtentList> small{strided(0, 10, 20, 50), strided(1000, 10, 20, 50)};
  EXPECT_EQ(for_writing(small, kPlainDisk), Method::collective);
  EXPECT_EQ(chosen(TransferDirection::reading, small, kPlainDisk), Method::collective);
  EXPECT_EQ(
      for_writing({strided(0, kMiB, 2 * kMiB, 3), strided(kMiB, kMiB, 2 * kMiB, 3)}, kPlainDisk),
      Method::collective);
}

/// On several nodes, stripes of one target that several of them write take locks, unless there is
/// so much to write that locks do not matter.
TEST(ChooseMethod, GivesWholeStripesToTheirOwnersOnSeveralNodes) {
  const auto on = [](std::size_t nodes, const std::vector<ExtentList>& lists) {
    return chosen(TransferDirection::writing, lists, kLustre, Method::automatic, nodes);
  };
  const std::vector<ExtentList> apart{one_piece(0, 8 * kMiB), one_piece(8 * kMiB, 8 * kMiB)};
  EXPECT_EQ(on(1, apart), Method::plain);
  EXPECT_EQ(on(2, apart), Method::collective);
  const std::vector<ExtentList> shifted{one_piece(100, 8 * kMiB),
                                        one_piece(100 + 8 * kMiB, 8 * kMiB)};
  EXPECT_EQ(on(1, shifted), Method::edges);
  EXPECT_EQ(on(2, shifted), Method::collective);
  const std::vector<ExtentList> several{strided(0, kMiB, 2 * kMiB, 4),
                                        strided(8 * kMiB, kMiB, 2 * kMiB, 4)};
  EXPECT_EQ(on(1, several), Method::independent);
  EXPECT_EQ(on(2, several), Method::collective);
  constexpr std::uint64_t kLarge = 4 * 64 * kMiB;
  EXPECT_EQ(on(2, {one_piece(0, kLarge), one_piece(kLarge, kLarge)}), Method::plain);
  EXPECT_EQ(on(2, {one_piece(0, kLarge - kMiB), one_piece(kLarge, kLarge)}), Method::collective);
  EXPECT_EQ(chosen(TransferDirection::reading, apart, kLustre, Method::automatic, 2),
            Method::plain);

  const auto asks = [](const std::vector<ExtentList>& lists, const StripeLayout& layout) {
    return asks_for_nodes(TransferDirection::writing, summary_of_all(lists, kMiB), layout,
                          Method::automatic);
  };
  EXPECT_TRUE(asks(apart, kLustre));
  EXPECT_FALSE(asks(apart, kPlainDisk));
  EXPECT_FALSE(asks({one_piece(0, 64), one_piece(64, 64)}, kLustre));
}

TEST(ChooseMethod, CanBeForced) {
  const std::vector<ExtentList> interleaved{strided(0, 4, 8, 9), strided(4, 4, 8, 9)};
  const auto forced = [&](Method method) {
    return chosen(TransferDirection::writing, interleaved, kLustre, method);
  };
  EXPECT_EQ(forced(Method::independent), Method::independent);
  EXPECT_EQ(forced(Method::collective), Method::collective);
  EXPECT_EQ(forced(Method::broadcast), Method::collective) << "not the same bytes";
  EXPECT_EQ(forced(Method::edges), Method::collective) << "interleaved";
}

TEST(ChooseMethod, SaysWhy) {
  const std::vector<ExtentList> lists{strided(0, 4, 8, 9), strided(4, 4, 8, 9)};
  const Choice choice =
      choose_method(TransferDirection::writing, summary_of_all(lists, kMiB), kLustre, 2, 1);
  EXPECT_EQ(choice.reason(), "18 pieces of 4 bytes on average on 2 ranks, interleaved");
  EXPECT_EQ(name_of(choice.method), "collective");
}

}  // namespace
}  // namespace onecast::collective
