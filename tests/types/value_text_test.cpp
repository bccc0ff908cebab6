#include "types/value_text.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace onecast::types {
namespace {

template <class T>
std::string text_of(T value) {
  return value_text(Datatype::of<T>(), std::as_bytes(std::span(&value, 1)));
}
std::string text_of(const Datatype& type, std::string_view bytes) {
  return value_text(type, std::as_bytes(std::span(bytes)));
}

TEST(ValueTextTest, Numbers) {
  EXPECT_EQ(text_of<std::int8_t>(-5), "-5");
  EXPECT_EQ(text_of<std::uint64_t>(UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(text_of<std::int64_t>(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(0.1F), "0.1");
  EXPECT_EQ(text_of(Datatype::integer(2, true, ByteOrder::big), {"\x01\x02", 2}), "258");
  EXPECT_EQ(text_of(Datatype::bitfield(2), {"\x01\xff", 2}), "0x01ff");
  const auto colour = Datatype::enumeration(Datatype::of<std::int8_t>(), {{"red", 1}});
  EXPECT_EQ(text_of(colour, {"\x01", 1}), "1");
}

TEST(ValueTextTest, TextsAndParts) {
  EXPECT_EQ(text_of(Datatype::string(4), {"ab\0x", 4}), "\"ab\"");
  EXPECT_EQ(text_of(Datatype::string(60), std::string(60, 'a')),
            "\"" + std::string(40, 'a') + "\"...");
  const auto byte = Datatype::of<std::int8_t>();
  EXPECT_EQ(text_of(Datatype::array(byte, {2, 2}), {"\1\2\3\4", 4}), "[1, 2, 3, 4]");
  EXPECT_EQ(text_of(Datatype::array(byte, {10}), std::string(10, '\1')),
            "[1, 1, 1, 1, 1, 1, 1, 1, ...]");
  EXPECT_EQ(text_of(Datatype::compound(3, {{"a", 0, byte}, {"b", 2, byte}}), {"\1\2\3", 3}),
            "{a: 1, b: 3}");
  EXPECT_EQ(text_of(Datatype::opaque(50), std::string(50, '\0')),
            "0x" + std::string(80, '0') + "...");
}

}  // namespace
}  // namespace onecast::types
