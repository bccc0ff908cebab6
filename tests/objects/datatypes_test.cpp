#include <fmt/format.h>
#include <gtest/gtest.h>

#include <complex>

#include "objects/codec/datatype_codec.hpp"
#include "objects/description.hpp"
#include "support/file_name.hpp"
#include "support/pattern.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"
#include "types/gaps.hpp"
#include "types/string_padding.hpp"

namespace onecast {

using namespace codec;

namespace {

using test::expect_as_stock;
using test::pattern;
using test::thrown_by;

using test::kName;

/// Returns types that can be written, all different.
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
  // The type is nested, its members are not in the order of their offsets, and it has a gap and an
  // odd size.
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

/// Returns types with more than their fixed part, or with rare layouts.
std::vector<Datatype> rare_types() {
  const Datatype i2 = Datatype::integer(2, true, ByteOrder::big);
  const Datatype colors = Datatype::enumeration(i2, {{"red", -1}, {"blue", 300}});
  std::vector<Datatype> types{
      Datatype::integer(3, true),
      Datatype::integer(16, false),
      Datatype::integer(4, true, ByteOrder::big, {3, 12}),
      Datatype::floating(16),
      Datatype::floating(8, ByteOrder::vax),
      Datatype::bfloat16(),
      Datatype::float80(16, ByteOrder::big),
      Datatype::float80(12),
      Datatype::time(4),
      Datatype::time(8, ByteOrder::big),
      Datatype::bitfield(2, ByteOrder::big),
      Datatype::opaque(5),
      Datatype::opaque(5, "12345678"),
      Datatype::opaque(5, std::string(248, 't')),
      colors,
      Datatype::enumeration(Datatype::of<std::uint64_t>(), {{"all", -1}}),
      Datatype::array(colors, {2, 3}),
      Datatype::array(Datatype::array(i2, {2}), {7}),
      Datatype::complex(Datatype::floating(4, ByteOrder::big)),
      Datatype::variable_string(),
      Datatype::variable_string(CharacterSet::ascii),
      Datatype::sequence(Datatype::sequence(i2)),
      Datatype::compound(40, {{"s", 0, Datatype::sequence(Datatype::variable_string())},
                              {"r", 16, Datatype::reference(ReferenceKind::revised_object)}})};
  for (int kind = 0; kind <= 4; ++kind)
    types.push_back(Datatype::reference(static_cast<ReferenceKind>(kind)));
  return types;
}

TEST(DatatypeTest, EncodedAndDecodedItIsTheSame) {
  const FileContext file{"a.h5", 8, 8};
  auto types = all_types();
  for (const Datatype& type : rare_types()) types.push_back(type);
  for (const Datatype& type : types) {
    SCOPED_TRACE(type.describe().substr(0, 100));
    const auto bytes = encode_datatype(type, file);
    EXPECT_EQ(to_datatype(decode<DatatypeMessage>(bytes, {}, file)), type);
  }
}

TEST(DatatypeTest, InWords) {
  std::string words;
  for (const Datatype& type : rare_types()) words += type.describe().substr(0, 90) + "\n";
  for (const char* expected :
       {"int24 little-endian\n", "int12 in 4 bytes, from bit 3 big-endian\n", "float64 VAX order\n",
        "bfloat16 little-endian\n", "float80 in 16 bytes big-endian\n",
        "time of 4 bytes little-endian\n", "bitfield of 16 bits big-endian\n",
        "opaque of 5 bytes, \"12345678\"\n",
        "enumeration {red = -1; blue = 300; } of int16 big-endian\n",
        "enumeration {all = 18446744073709551615; } of uint64 little-endian\n",
        "array [7] of array [2] of int16 big-endian\n", "complex of float32 big-endian\n",
        "sequence of sequence of int16 big-endian\n", "region reference\n"})
    EXPECT_NE(words.find(expected), std::string::npos) << expected << words;
}

TEST(DatatypeTest, EqualOnlyToItself) {
  const auto types = all_types();
  for (std::size_t i = 0; i < types.size(); ++i)
    for (std::size_t j = 0; j < types.size(); ++j)
      EXPECT_EQ(types[i] == types[j], i == j)
          << types[i].describe().substr(0, 99) << types[j].describe().substr(0, 99);
}

TEST(DatatypeTest, StockReadsAllOfThem) {
  test::SoundDisk disk;
  File file = disk.create(kName);
  unsigned i = 0;
  for (const Datatype& type : all_types()) {
    const auto value = pattern(2 * type.size(), i);
    Dataset data = file.root().create_dataset(fmt::format("type{}", i++),
                                              {.type = type, .space = Shape{2}, .data = value});
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
    auto expected = pattern(2 * type.size(), i++);
    Gaps(type).clear(expected);
    EXPECT_EQ(bytes, expected);
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

TEST(DatatypeTest, ComplexNumbersOfCpp) {
  using Complex = std::complex<double>;
  const std::vector<Complex> values{{1, 2}, {-3, 4.5}};
  EXPECT_EQ(Datatype::of<Complex>(), Datatype::complex_pair(Datatype::of<double>()));
  EXPECT_EQ(Datatype::of<std::complex<float>>().size(), 8U);
  test::SoundDisk disk;
  File file = disk.create(kName);
  Dataset data = file.root().create_dataset("z", Shape{2}, values);
  data.set_attribute("one", values[1]);
  file.root().create_dataset("class", {Datatype::complex(Datatype::floating(4)), Shape{2}});
  file.root().open_dataset("class").write(values);
  file.close();
  const File again = disk.open(kName);
  EXPECT_EQ(again.root().open_dataset("z").read<Complex>(), values);
  EXPECT_EQ(again.root().open_dataset("class").read<Complex>(), values);
  EXPECT_EQ(again.root().open_dataset("class").datatype(), Datatype::of<std::complex<float>>());
  EXPECT_EQ(again.root().open_dataset("z").attribute("one").read<Complex>().front(), values[1]);
  expect_as_stock(disk, kName);
}

TEST(DatatypeTest, WhatCannotBeIsRefused) {
  const Datatype i4 = Datatype::of<int>();
  using Members = std::vector<CompoundMember>;
  const auto compound = [&](std::size_t size, Members members) {
    return thrown_by([&] { Datatype::compound(size, std::move(members)); });
  };
  const auto of = [](auto&& action) { return thrown_by(action); };
  const std::pair<Error, const char*> refused[] = {
      {of([] { Datatype::integer(8192, true); }), "1 to 8191 bytes, not 8192"},
      {of([] { Datatype::integer(0, true); }), "not 0"},
      {of([] { Datatype::integer(4, true, ByteOrder::vax); }), "VAX"},
      {of([] { Datatype::integer(4, true, ByteOrder::big, {20, 13}); }), "13 bits from bit 20"},
      {of([] { Datatype::floating(1); }), "2, 4, 8 or 16 bytes, not 1"},
      {of([&] { Datatype::array(i4, {2, 0}); }), "at least one element"},
      {of([&] { Datatype::array(i4, {}); }), "1 to 32 dimensions"},
      {of([] { Datatype::enumeration(Datatype::of<float>(), {}); }), "of integers"},
      {of([&] { Datatype::enumeration(i4, {{"a", 0}, {"a", 1}}); }), "\"a\" is there twice"},
      {of([&] { Datatype::complex(i4); }), "floating-point"},
      {of([&] { Datatype::complex_pair(i4); }), "floating-point"},
      {of([] { Datatype::opaque(4, std::string(256, 'x')); }), "255 bytes"},
      {of([] { Datatype::time(3); }), "4 or 8 bytes"},
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
