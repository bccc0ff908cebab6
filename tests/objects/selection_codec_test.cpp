#include "objects/codec/selection_codec.hpp"

#include <gtest/gtest.h>

#include <random>

#include "format/bytes.hpp"
#include "support/bitmap.hpp"
#include "support/thrown_by.hpp"

namespace onecast {

using namespace codec;

namespace {

using test::thrown_by;

constexpr std::uint64_t kUnlimited = Dataspace::kUnlimited;
const FileContext kFile{"f.h5", 8, 8};

Selection decoded(const std::vector<std::byte>& bytes, std::size_t rank) {
  return decode_selection(bytes, Address{0x100}, kFile, rank);
}

struct Known {
  const char* bytes;  ///< as stock HDF5 writes them
  Selection selection;
  bool is_ours;  ///< Onecast writes the same bytes
};

std::vector<Known> known() {
  const Selection row = Hyperslab{{0, 0}, {1, 20}};
  const Selection element = Hyperslab{{5, 3}, {1, 1}};
  const Selection column = Hyperslab{{0, 2}, {kUnlimited, 1}, {1, 1}, {1, 1}};
  return {
      {"03000000 01000000 0000000000000000", {}, true},
      {"00000000 01000000 0000000000000000", Selection::none(), true},
      {"02000000 01000000 00000000 68000000 02000000 06000000"
       "0100000002000000 0200000002000000 0100000007000000 0200000007000000"
       "010000000c000000 020000000c000000 0500000002000000 0600000002000000"
       "0500000007000000 0600000007000000 050000000c000000 060000000c000000",
       Hyperslab{{1, 2}, {2, 3}, {4, 5}, {2, 1}}, true},
      {"02000000 01000000 00000000 28000000 02000000 02000000"
       "0000000000000000 0000000013000000 0500000003000000 0500000003000000",
       row | element, true},
      {"01000000 01000000 00000000 20000000 02000000 03000000"
       "0900000013000000 0000000001000000 0900000013000000",
       Selection::points(2, {9, 19, 0, 1, 9, 19}), true},
      {"02000000 02000000 01 24000000 01000000"
       "0000000000000000 0100000000000000 ffffffffffffffff 0100000000000000",
       Hyperslab{{0}, {kUnlimited}, {1}, {1}}, true},
      {"02000000 03000000 01 02 02000000 0000 0100 ffff 0100 0200 0100 0100 0100", column, false},
      {"02000000 03000000 01 02 02000000 0200 0100 0a00 0100 0300 0100 0100 0100",
       Hyperslab{{2, 3}, {10, 1}}, false},
  };
}

TEST(SelectionCodecTest, BytesOfStockFiles) {
  for (const Known& k : known()) {
    SCOPED_TRACE(k.bytes);
    const std::vector<std::byte> bytes = from_hex(k.bytes);
    const std::size_t rank = k.selection.rank() == 0 ? 2 : k.selection.rank();
    EXPECT_EQ(decoded(bytes, rank), k.selection);
    if (k.is_ours) {
      EXPECT_EQ(encode_selection(k.selection), bytes);
    }
    // The reader continues behind the selection.
    std::vector<std::byte> longer = bytes;
    longer.push_back(std::byte{7});
    ByteReader in(longer, Address{0}, kFile);
    static_cast<void>(decode_selection(in, rank));
    EXPECT_EQ(in.remaining(), 1U);
  }
}

TEST(SelectionCodecTest, RoundTrips) {
  std::mt19937 random(9);
  for (int round = 0; round < 1000; ++round) {
    const Shape shape = test::random_shape(random, 4, 9);
    const test::RandomSet set(shape, random, static_cast<int>(random() % 4));
    EXPECT_EQ(decoded(encode_selection(set.selection), shape.size()), set.selection);
    if (HasFailure()) return;
  }
  const std::uint64_t far = 1ULL << 40U;
  const Selection beyond_32_bits[] = {
      Selection::points(1, {far, 3}),
      Hyperslab{{far, 0}, {1, 1000}, {1, 7}, {}},
      Selection(Hyperslab{{far}, {1}}) | Hyperslab{{0}, {3}},
      Hyperslab{{3, 0}, {1, 1}, {}, {kUnlimited, 2}},
      Hyperslab{{3}, {1'000'000}, {2}, {}},
  };
  for (const Selection& s : beyond_32_bits) EXPECT_EQ(decoded(encode_selection(s), s.rank()), s);
}

TEST(SelectionCodecTest, WhatIsWrongIsSaid) {
  struct Case {
    const char* bytes;
    std::size_t rank;
    const char* text;
  };
  const Case cases[] = {
      {"04000000 01000000", 1, "Selection Type"},
      {"03000000 02000000", 1, "Version"},
      {"01000000 03000000", 1, "Version"},
      {"02000000 04000000", 1, "Version"},
      {"02000000 03000000 01 03", 1, "Encode Size"},
      {"02000000 03000000 01 02 00000000", 1, "Rank"},
      {"02000000 03000000 01 02 21000000", 1, "Rank"},
      {"02000000 03000000 01 02 01000000 0000 0100 0100 0100", 2, "Rank"},
      {"02000000 03000000 01 02 01000000 0000 0100 0200 0200", 1, "Stride #n"},
      {"02000000 02000000 01 00000000 01000000"
       "0100000000000000 ffffffffffffff7f 0300000000000000 0100000000000000",
       1, "Count #n"},
      {"02000000 03000000 00 02 01000000 0100 0200 0100", 1, "Ending Offset"},
      {"02000000 03000000 00 08 01000000 ffffffffffffff0f", 1, "Starting and Ending Offset"},
      {"02000000 03000000 00 08 02000000 ffffffffffffffff", 2, "Num Blocks"},
      {"02000000 03000000 00 08 01000000 0100000000000000 0000000000000000 ffffffffffffffff", 1,
       "Ending Offset"},
      {"01000000 02000000 08 01000000 0100000000000000 ffffffffffffffff", 1, "Point #n"},
      {"01000000 01000000 00000000 00000000 01000000 ffffff7f 00000000", 1, "Point #n"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.bytes);
    const Error error = thrown_by([&] { decoded(from_hex(c.bytes), c.rank); });
    EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported);
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("f.h5: address 0x1", 0), 0U) << text;
    EXPECT_NE(text.find(c.text), std::string::npos) << text;
  }
}

TEST(SelectionCodecTest, BlocksThatCutEachOtherToPiecesAreRefused) {
  // 20,000 rows cross 20,000 columns, which gives 400 million pieces.
  std::vector<std::byte> bytes = from_hex("02000000 01000000 00000000 00000000 02000000 409c0000");
  const auto put = [&](std::uint32_t n) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(n >> 8 * i));
  };
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    // Rows and columns have different lengths, so that no two are cut equally.
    for (const std::uint32_t n : {2 * i, i, 2 * i, 50'000 + i}) put(n);
    for (const std::uint32_t n : {i, 2 * i, 50'000 + i, 2 * i}) put(n);
  }
  const Error error = thrown_by([&] { decoded(bytes, 2); });
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_NE(std::string(error.what()).find("too many pieces"), std::string::npos);
}

}  // namespace
}  // namespace onecast
