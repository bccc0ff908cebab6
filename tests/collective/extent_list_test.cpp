#include "collective/extent_list.hpp"

#include <gtest/gtest.h>

#include <random>
#include <tuple>
#include <vector>

#include "onecast/base/error.hpp"
#include "support/thrown_by.hpp"

namespace onecast::collective {
namespace {

using Piece = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

std::vector<Piece> pieces_in(const ExtentList& list, std::uint64_t from, std::uint64_t to) {
  std::vector<Piece> found;
  list.for_each_in(from, to, [&](std::uint64_t offset, std::uint64_t length, std::uint64_t at) {
    found.emplace_back(offset, length, at);
  });
  return found;
}

std::vector<Piece> all_of(const ExtentList& list) { return pieces_in(list, 0, ~std::uint64_t{0}); }

ExtentList listed(const std::vector<Piece>& pieces) {
  ExtentListBuilder builder;
  for (const auto& [offset, length, at] : pieces) builder.add(offset, length, at);
  return builder.take();
}

TEST(ExtentList, RegularPatternsAreOneRun) {
  ExtentListBuilder builder;
  for (std::uint64_t plane = 0; plane < 100; ++plane)
    for (std::uint64_t row = 0; row < 50; ++row) builder.add(plane * 10000 + row * 100, 24);
  const ExtentList list = builder.take();
  EXPECT_EQ(list.runs().size(), 1U);
  EXPECT_EQ(list.pieces(), 5000U);
  EXPECT_EQ(list.bytes(), 5000U * 24);
  EXPECT_TRUE(list.is_packed());
  EXPECT_LT(list.encode().size(), 20U);
}

TEST(ExtentList, TouchingPiecesGrowTogether) {
  ExtentListBuilder builder;
  for (std::uint64_t i = 0; i < 10; ++i) builder.add(i * 8, 8);
  EXPECT_EQ(builder.take().pieces(), 1U);
  builder.add(0, 8, 100);
  builder.add(8, 8, 200);  // adjacent only in the file
  EXPECT_EQ(builder.take().pieces(), 2U);
}

TEST(ExtentList, RefusesDisorder) {
  ExtentListBuilder builder;
  builder.add(100, 10);
  EXPECT_EQ(test::thrown_by([&] { builder.add(50, 10); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(test::thrown_by([&] { builder.add(109, 10); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(test::thrown_by([&] { builder.add(~std::uint64_t{0} - 5, 10); }).code(),
            ErrorCode::invalid_argument);
  builder.add(5, 0);  // an empty extent
  EXPECT_EQ(builder.take().bytes(), 10U);
}

/// Returns random pieces, often in patterns.
std::vector<Piece> random_pieces(std::mt19937& random) {
  const auto upto = [&](std::uint64_t n) {
    return std::uniform_int_distribution<std::uint64_t>(0, n)(random);
  };
  std::vector<Piece> pieces;
  std::uint64_t offset = upto(20);
  std::uint64_t at = upto(3);
  const std::uint64_t blocks = upto(6);
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t length = 1 + upto(9);
    const std::uint64_t gap = upto(5);
    const std::uint64_t outer_gap = upto(30);
    const std::uint64_t inner = 1 + upto(5);
    for (std::uint64_t i = 0, outer = 1 + upto(4); i < outer; ++i) {
      for (std::uint64_t j = 0; j < inner; ++j) {
        pieces.emplace_back(offset, length, at);
        offset += length + gap;
        at += length;
      }
      offset += outer_gap;
    }
    if (upto(3) == 0) at += upto(7);
  }
  return pieces;
}

TEST(ExtentList, ExpandsToWhatWentIn) {
  std::mt19937 random(1);
  for (int turn = 0; turn < 2000; ++turn) {
    const auto pieces = random_pieces(random);
    const ExtentList list = listed(pieces);
    // Each byte has its place in the file and in the buffer.
    std::vector<Piece> in;
    std::vector<Piece> out;
    for (const auto& [offset, length, at] : pieces)
      for (std::uint64_t i = 0; i < length; ++i) in.emplace_back(offset + i, 1, at + i);
    for (const auto& [offset, length, at] : all_of(list))
      for (std::uint64_t i = 0; i < length; ++i) out.emplace_back(offset + i, 1, at + i);
    ASSERT_EQ(in, out);
    ASSERT_EQ(list.bytes(), in.size());
    if (in.empty()) continue;

    const std::uint64_t end = list.end() + 3;
    for (int window = 0; window < 10; ++window) {
      std::uint64_t from = std::uniform_int_distribution<std::uint64_t>(0, end)(random);
      std::uint64_t to = std::uniform_int_distribution<std::uint64_t>(0, end)(random);
      if (from > to) std::swap(from, to);
      std::vector<Piece> expected;
      for (const auto& byte : in)
        if (std::get<0>(byte) >= from && std::get<0>(byte) < to) expected.push_back(byte);
      std::vector<Piece> found;
      for (const auto& [offset, length, at] : pieces_in(list, from, to))
        for (std::uint64_t i = 0; i < length; ++i) found.emplace_back(offset + i, 1, at + i);
      ASSERT_EQ(found, expected);
      ASSERT_EQ(list.bytes_in(from, to), expected.size());
      const auto next = list.next_from(from);
      const auto first = std::find_if(in.begin(), in.end(),
                                      [&](const Piece& byte) { return std::get<0>(byte) >= from; });
      ASSERT_EQ(next.has_value(), first != in.end());
      if (next) {
        ASSERT_EQ(*next, std::get<0>(*first));
      }
    }
    const ExtentList decoded = ExtentList::decode(list.encode());
    ASSERT_EQ(decoded.runs().size(), list.runs().size());
    for (std::size_t i = 0; i < list.runs().size(); ++i) {
      StridedRun expected = list.runs()[i];
      expected.position = expected.bytes_before;
      ASSERT_EQ(decoded.runs()[i], expected);
    }
  }
}

TEST(ExtentList, DecodesNothingButLists) {
  const std::vector<std::byte> bytes = listed({{5, 3, 0}, {10, 3, 3}, {40, 2, 6}}).encode();
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    const std::vector<std::byte> part(bytes.begin(),
                                      bytes.begin() + static_cast<std::ptrdiff_t>(size));
    try {
      static_cast<void>(ExtentList::decode(part));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::diverged);
    }
  }
  EXPECT_EQ(test::thrown_by([] {
              static_cast<void>(ExtentList::decode(std::vector<std::byte>(3)));
            }).code(),
            ErrorCode::diverged);
}

}  // namespace
}  // namespace onecast::collective
