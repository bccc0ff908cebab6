#include <fmt/format.h>
#include <gtest/gtest.h>

#include "objects/datatype_codec.hpp"
#include "objects/description.hpp"
#include "support/pattern.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::expect_as_stock;
using test::pattern;
using test::thrown_by;

constexpr const char* kName = "a.h5";

/// Types that can be written, each unlike all others.
std::vector<Datatype> all_types() {
  std::vector<Datatype> types;
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    for (const std::size_t size : {1U, 2U, 4U, 8U})
      for (const bool is_signed : {true, false})
        types.push_back(Datatype::integer(size, is_signed, order));
    for (const std::size_t size : {2U, 4U, 8U}) types.push_back(Datatype::floating(size, order));
  }
  for (const std::size_t size : {1U, 33U, 70'000U})
    for (const auto padding :
         {StringPadding::null_terminated, StringPadding::null_padded, StringPadding::space_padded})
      for (const auto set : {CharacterSet::ascii, CharacterSet::utf8})
        types.push_back(Datatype::string(size, padding, set));
  const Datatype point = Datatype::compound(24, {{"x", 0, Datatype::of<double>()},
                                                 {"y", 8, Datatype::of<double>()},
                                                 {"id", 20, Datatype::of<int>()}});
  types.push_back(point);
  types.push_back(Datatype::compound(1, {{"one", 0, Datatype::integer(1, true)}}));
  // Nested, in another order than that of offsets, with a gap and a hull of odd size.
  types.push_back(Datatype::compound(
      101, {{"end", 96, Datatype::integer(4, false, ByteOrder::big)},
            {"points", 8, Datatype::compound(60, {{"a", 0, point}, {"b", 30, point}})},
            {"name", 70, Datatype::string(20, StringPadding::space_padded)}}));
  std::vector<CompoundMember> many;
  for (std::size_t i = 0; i < 300; ++i)
    many.push_back({fmt::format("member{}", i), 2 * i, Datatype::of<short>()});
  types.push_back(Datatype::compound(600, many));
  return types;
}

TEST(DatatypeTest, EncodedAndDecodedItIsTheSame) {
  const FileContext file{"a.h5", 8, 8};
  Arena arena;
  for (const Datatype& type : all_types()) {
    SCOPED_TRACE(type.describe().substr(0, 100));
    const ByteView bytes = encode_datatype(type, file, arena);
    EXPECT_EQ(to_datatype(decode<DatatypeMessage>(bytes, {}, file)), type);
  }
}

TEST(DatatypeTest, EqualOnlyToItself) {
  const auto types = all_types();
  for (std::size_t i = 0; i < types.size(); ++i)
    for (std::size_t j = 0; j < types.size(); ++j)
      EXPECT_EQ(types[i] == types[j], i == j)
          << types[i].describe().substr(0, 99) << types[j].describe().substr(0, 99);
}

TEST(DatatypeTest, StockReadsAllOfThem) {
  test::Disk disk;
  File file = disk.create(kName);
  unsigned i = 0;
  for (const Datatype& type : all_types()) {
    const auto value = pattern(2 * type.size(), i);
    Dataset data = file.root().create_dataset(fmt::format("type{}", i++), type, Shape{2}, value);
    if (type.size() < 30'000) data.set_attribute("value", type, Shape{2}, value);
  }
  file.close();
  const File again = disk.open(kName);
  i = 0;
  for (const Datatype& type : all_types()) {
    const Dataset data = again.root().open_dataset(fmt::format("type{}", i));
    EXPECT_EQ(data.datatype(), type);
    std::vector<std::byte> bytes(2 * type.size());
    data.read(bytes);
    EXPECT_EQ(bytes, pattern(2 * type.size(), i++));
    if (type.size() < 30'000) {
      EXPECT_EQ(data.attribute("value").datatype(), type);
    }
  }
  expect_as_stock(disk, kName);
}

TEST(DatatypeTest, NativeTypes) {
  EXPECT_EQ(Datatype::of<char>(), Datatype::integer(1, std::is_signed_v<char>));
  EXPECT_EQ(Datatype::of<std::uint16_t>(), Datatype::integer(2, false));
  EXPECT_EQ(Datatype::of<long long>(), Datatype::integer(8, true));
  EXPECT_EQ(Datatype::of<float>(), Datatype::floating(4));
  EXPECT_EQ(Datatype::of<double>().describe(), "float64 little-endian");
  EXPECT_EQ(Datatype::integer(8, false, ByteOrder::big).describe(), "uint64 big-endian");
  EXPECT_EQ(Datatype::string(33).describe(), "string of 33 bytes");
  EXPECT_EQ(Datatype::floating(2).type_class(), TypeClass::floating);
  EXPECT_EQ(Datatype::floating(2).class_number(), 1);
  EXPECT_TRUE(Datatype::of<int>().members().empty());
}

TEST(DatatypeTest, WhatCannotBeIsRefused) {
  const Datatype i4 = Datatype::of<int>();
  using Members = std::vector<CompoundMember>;
  const auto compound = [&](std::size_t size, Members members) {
    return thrown_by([&] { Datatype::compound(size, std::move(members)); });
  };
  const auto of = [](auto&& action) { return thrown_by(action); };
  const std::pair<Error, const char*> refused[] = {
      {of([] { Datatype::integer(3, true); }), "1, 2, 4 or 8 bytes, not 3"},
      {of([] { Datatype::integer(0, true); }), "not 0"},
      {of([] { Datatype::integer(16, true); }), "not 16"},
      {of([] { Datatype::floating(1); }), "2, 4 or 8 bytes, not 1"},
      {of([] { Datatype::string(0); }), "1 byte"},
      {of([] { Datatype::string(std::size_t{1} << 32U); }), "4 GiB"},
      {compound(4, {}), "members"},
      {compound(8, {{"a", 0, i4}, {"b", 3, i4}}), "\"b\" overlaps"},
      {compound(7, {{"a", 0, i4}, {"b", 4, i4}}), "\"b\" leaves the 7 bytes"},
      {compound(8, {{"a", 0, i4}, {"a", 4, i4}}), "\"a\" is there twice"},
      {compound(8, {{"", 0, i4}}), "needs a name"},
      {compound(4, {{"a", ~std::size_t{0} - 1, i4}}), "leaves"},
      {compound(std::size_t{1} << 32U, {{"a", 0, i4}}), "4 GiB"},
      {compound(70'000, Members(65'536, {"a", 0, i4})), "65535 members"},
  };
  for (const auto& [error, text] : refused) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(std::string(error.what()).rfind("datatype: ", 0), 0U) << error.what();
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
        << error.what() << "\nexpected: " << text;
  }
}

TEST(DatatypeTest, OnlyTheOrderOfBytesMayDiffer) {
  const Datatype little = Datatype::of<int>();
  const Datatype big = Datatype::integer(4, true, ByteOrder::big);
  EXPECT_FALSE(must_swap(little, little, "d"));
  EXPECT_TRUE(must_swap(little, big, "d"));
  EXPECT_TRUE(must_swap(Datatype::floating(2), Datatype::floating(2, ByteOrder::big), "d"));
  EXPECT_FALSE(
      must_swap(Datatype::integer(1, true), Datatype::integer(1, true, ByteOrder::big), "d"));
  const auto compound = [](ByteOrder order) {
    return Datatype::compound(4, {{"a", 0, Datatype::integer(4, true, order)}});
  };
  EXPECT_FALSE(must_swap(compound(ByteOrder::big), compound(ByteOrder::big), "d"));
  const std::pair<Datatype, Datatype> unlike[] = {
      {little, Datatype::of<unsigned>()},
      {little, Datatype::of<float>()},
      {little, Datatype::of<long>()},
      {Datatype::string(4), Datatype::string(5)},
      {compound(ByteOrder::big), compound(ByteOrder::little)}};
  for (const auto& [from, to] : unlike) {
    const Error error = thrown_by([&, f = from, t = to] { must_swap(f, t, "f.h5: /d"); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(std::string(error.what()).rfind("f.h5: /d: datatype: stored as ", 0), 0U)
        << error.what();
  }
}

TEST(DatatypeTest, PaddingIsTakenOff) {
  const auto unpadded = [](const char* text, std::size_t size, StringPadding padding) {
    return unpad(std::as_bytes(std::span(text, size)), padding);
  };
  EXPECT_EQ(unpadded("ab\0cd", 5, StringPadding::null_terminated), "ab");
  EXPECT_EQ(unpadded("abcd", 4, StringPadding::null_terminated), "abcd");
  EXPECT_EQ(unpadded("a\0b\0\0", 5, StringPadding::null_padded), std::string("a\0b", 3));
  EXPECT_EQ(unpadded("a b  ", 5, StringPadding::space_padded), "a b");
  EXPECT_EQ(unpadded("   ", 3, StringPadding::space_padded), "");
}

}  // namespace
}  // namespace onecast
