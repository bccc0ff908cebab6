#include <gtest/gtest.h>

#include "onecast/types/datatype.hpp"

namespace onecast {
namespace {

TEST(DatatypeEquality, NamesOfAnEnumerationInAnyOrder) {
  const auto colour = [](std::vector<EnumerationMember> names) {
    return Datatype::enumeration(Datatype::of<std::int8_t>(), std::move(names));
  };
  EXPECT_EQ(colour({{"red", 0}, {"green", 1}}), colour({{"green", 1}, {"red", 0}}));
  EXPECT_NE(colour({{"red", 0}, {"green", 1}}), colour({{"green", 0}, {"red", 1}}));
  EXPECT_NE(colour({{"red", 0}, {"green", 1}}), colour({{"red", 0}}));
}

TEST(DatatypeEquality, MembersOfACompoundInAnyOrder) {
  const auto number = Datatype::of<std::int32_t>();
  EXPECT_EQ(Datatype::compound(8, {{"x", 0, number}, {"y", 4, number}}),
            Datatype::compound(8, {{"y", 4, number}, {"x", 0, number}}));
  EXPECT_NE(Datatype::compound(8, {{"x", 0, number}, {"y", 4, number}}),
            Datatype::compound(8, {{"x", 4, number}, {"y", 0, number}}));
}

}  // namespace
}  // namespace onecast
