#include "types/gaps.hpp"

#include <gtest/gtest.h>

namespace onecast::types {
namespace {

/// Clears bytes of 0xff, and returns which are zero afterwards.
std::string cleared(const Datatype& type, std::size_t count = 1) {
  std::vector<std::byte> bytes(count * type.size(), std::byte{0xff});
  const Gaps gaps(type);
  EXPECT_EQ(gaps.are_zero(bytes), gaps.none());
  gaps.clear(bytes);
  EXPECT_TRUE(gaps.are_zero(bytes));
  std::string text;
  for (const std::byte b : bytes) text += b == std::byte{0} ? '.' : 'x';
  return text;
}

const Datatype kByte = Datatype::of<std::int8_t>();
const Datatype kInt = Datatype::of<std::int32_t>();

TEST(GapsTest, OfStructs) {
  EXPECT_EQ(cleared(kInt), "xxxx");
  const auto padded = Datatype::compound(8, {{"a", 0, kByte}, {"b", 4, kInt}});
  EXPECT_EQ(cleared(padded, 2), "x...xxxxx...xxxx");
  EXPECT_EQ(cleared(Datatype::compound(8, {{"b", 3, kInt}, {"a", 1, kByte}})), ".x.xxxx.");
  EXPECT_EQ(cleared(Datatype::compound(5, {{"a", 0, kByte}, {"b", 1, kInt}})), "xxxxx");
}

TEST(GapsTest, OfStructsInside) {
  const auto inner = Datatype::compound(3, {{"a", 0, kByte}, {"b", 2, kByte}});
  EXPECT_EQ(cleared(Datatype::array(inner, {2})), "x.xx.x");
  EXPECT_EQ(
      cleared(Datatype::compound(10, {{"i", 1, inner}, {"many", 4, Datatype::array(inner, {2})}})),
      ".x.xx.xx.x");
  EXPECT_EQ(cleared(Datatype::array(kInt, {2})), "xxxxxxxx");
}

TEST(GapsTest, OnlyWhatHasGapsIsCopied) {
  const auto padded = Datatype::compound(8, {{"a", 0, kByte}, {"b", 4, kInt}});
  std::vector<std::byte> bytes(16, std::byte{1});
  const PlainBytes copied(padded, bytes);
  EXPECT_NE(copied.get().data(), bytes.data());
  EXPECT_EQ(bytes[1], std::byte{1});
  Gaps(padded).clear(bytes);
  EXPECT_EQ(PlainBytes(padded, bytes).get().data(), bytes.data());
}

}  // namespace
}  // namespace onecast::types
