// Cases that chunks of other programs (oracle.cpp) do not cover: limits, and wrong parameters

#include <limits>
#include <random>

#include "filters/bit_planes.hpp"
#include "filters/byte_planes.hpp"
#include "filters/support.hpp"

namespace onecast::filters {
namespace {

using test::Bytes;
using test::decoded;
using test::filter;
using test::hex;
using test::mentions;
using test::pattern;
using test::refusal;

constexpr std::uint16_t kSzip = 4;
constexpr std::uint16_t kNbit = 5;
constexpr std::uint16_t kScaleOffset = 6;
constexpr std::uint16_t kLz4 = 32004;
constexpr std::uint16_t kBitshuffle = 32008;

// --- planes --------------------------------------------------------------------------------------

TEST(BytePlanes, OfEveryWidthAndCount) {
  for (std::size_t width = 1; width <= 40; ++width)
    for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 48U, 131U, 700U}) {
      const Bytes in = pattern(count * width);
      Bytes out(in.size());
      join_byte_planes(in.data(), out.data(), count, width);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t b = 0; b < width; ++b)
          ASSERT_EQ(out[i * width + b], in[b * count + i]) << width << ' ' << count;
    }
}

TEST(BitPlanes, OfEveryWidthAndCount) {
  for (std::size_t width = 1; width <= 17; ++width)
    for (const std::size_t count : {8U, 16U, 24U, 136U}) {
      const Bytes in = pattern(count * width);
      Bytes out(in.size());
      Bytes temporary(in.size());
      join_bit_planes(in.data(), out.data(), temporary.data(), count, width);
      const auto bit = [](const Bytes& bytes, std::size_t i) {
        return std::to_integer<unsigned>(bytes[i / 8]) >> i % 8 & 1U;
      };
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t b = 0; b < 8 * width; ++b)
          ASSERT_EQ(bit(out, i * 8 * width + b), bit(in, b * count + i)) << width << ' ' << count;
    }
}

// --- n-bit ---------------------------------------------------------------------------------------

FilterSpec nbit(std::uint32_t count, std::vector<std::uint32_t> type) {
  std::vector<std::uint32_t> data = {static_cast<std::uint32_t>(type.size() + 3), 0, count};
  data.insert(data.end(), type.begin(), type.end());
  return filter(kNbit, data);
}

TEST(Nbit, OneBitAndOddSizes) {
  // The parameters are class, size, order, precision, offset.
  EXPECT_EQ(decoded({nbit(4, {1, 1, 0, 1, 7})}, hex("a0"), 4), hex("80008000"));
  EXPECT_EQ(decoded({nbit(2, {1, 3, 0, 12, 6})}, hex("abc123"), 6), hex("00af02c04800"));
  EXPECT_EQ(decoded({nbit(2, {1, 3, 1, 12, 6})}, hex("abc123"), 6), hex("02af000048c0"));
  // The number has more than eight bytes.
  EXPECT_EQ(decoded({nbit(1, {1, 10, 1, 80, 0})}, pattern(10), 10), pattern(10));
  EXPECT_EQ(decoded({nbit(1, {1, 8, 1, 64, 0})}, pattern(8), 8), pattern(8));
}

TEST(Nbit, LeavesAloneWhatNeedsNoPacking) {
  EXPECT_EQ(decoded({filter(kNbit, {3, 1, 5})}, pattern(5), 5), pattern(5));
}

TEST(Nbit, RefusesParametersThatLie) {
  const auto refused = [](std::vector<std::uint32_t> type) {
    return std::string(refusal({nbit(1, std::move(type))}, Bytes(1000), 8).what());
  };
  for (const auto& type : std::vector<std::vector<std::uint32_t>>{
           {},
           {1},
           {9, 8},
           {1, 0, 0, 8, 0},
           {1, 8, 2, 8, 0},
           {1, 8, 0, 0, 0},
           {1, 8, 0, 65, 0},
           {1, 8, 0, 8, 57},
           {1, 8, 0, 8, ~0U},
           {1, 8, 0, ~0U, 1},
           {2, 8},
           {2, 8, 1, 9, 0, 8, 0},  // an array smaller than its element
           {2, 8, 4, 0},
           {3, 8, 0},
           {3, 8, ~0U, 0, 4, 1},
           {3, 8, 1, 1, 4, 8},  // a member that leaves its compound
           {3, 8, 1, ~0U, 4, 8},
       })
    EXPECT_NE(refused(type).find("client data"), std::string::npos) << refused(type);
  std::vector<std::uint32_t> deep;
  for (int i = 0; i < 10000; ++i) deep.insert(deep.end(), {2, 8});
  EXPECT_NE(refused(deep).find("nested"), std::string::npos);
  EXPECT_TRUE(mentions(refusal({filter(kNbit, {4, 0, 1, 1, 1})}, Bytes(9), 8), "client data"));
}

TEST(Nbit, RefusesMoreThanTheChunkHolds) {
  EXPECT_TRUE(mentions(refusal({nbit(9, {1, 1, 0, 4, 0})}, Bytes(4), 9), "ends early"));
  EXPECT_TRUE(mentions(refusal({nbit(~0U, {1, ~0U, 0, ~0U, 0})}, Bytes(4), 9), "ends early"));
  EXPECT_TRUE(mentions(refusal({nbit(9, {1, 1, 0, 4, 0})}, Bytes(5), 8), "at most 8"));
}

// --- scale-offset --------------------------------------------------------------------------------

FilterSpec scaleoffset(std::vector<std::uint32_t> first) {
  first.resize(20);
  return filter(kScaleOffset, std::move(first));
}

/// Returns bits, the minimum, eight bytes without a meaning, and packed values.
Bytes packed(std::string_view bits, std::string_view minimum, std::string_view values) {
  return hex(std::string(bits) + "08" + std::string(minimum) + std::string(16, '0') +
             std::string(values));
}

TEST(ScaleOffset, WithoutFillValue) {
  const FilterSpec spec = scaleoffset({2, 0, 3, 0, 2, 1, 0, 0});
  // All values are equal, so they take no bits.
  EXPECT_EQ(decoded({spec}, packed("00000000", "feffffffffffffff", ""), 6), hex("fefffefffeff"));
  EXPECT_EQ(decoded({spec}, packed("02000000", "feffffffffffffff", "6c"), 6), hex("ffff00000100"));
}

TEST(ScaleOffset, NegativeDecimalScale) {
  const FilterSpec spec = scaleoffset({0, ~0U, 2, 1, 4, 0, 1, 0});  // tens, big-endian float
  // 20.0 and 20.0 + 3 * 10
  EXPECT_EQ(decoded({spec}, packed("02000000", "0000a04100000000", "30"), 8),
            hex("41a0000042480000"));
}

TEST(ScaleOffset, RefusesParametersThatLie) {
  const Bytes chunk = packed("02000000", "0000000000000000", "ff");
  const auto refused = [&](std::vector<std::uint32_t> first) {
    return std::string(refusal({scaleoffset(std::move(first))}, chunk, 16).what());
  };
  EXPECT_NE(refused({1, 0, 4, 1, 4, 0, 0, 0}).find("E-scaling"), std::string::npos);
  for (const auto& first : std::vector<std::vector<std::uint32_t>>{
           {2, 0, 4, 1, 4, 0, 0, 0},
           {0, 0, 4, 0, 4, 0, 0, 0},
           {2, 0, 4, 2, 4, 0, 0, 0},
           {2, 0, 4, 0, 3, 0, 0, 0},
           {0, 0, 4, 1, 2, 0, 0, 0},
           {2, 0, 4, 0, 0, 0, 0, 0},
           {2, 0, 4, 0, 4, 0, 2, 0},
           {2, 33, 4, 0, 4, 0, 0, 0},
       })
    EXPECT_NE(refused(first).find("client data"), std::string::npos) << refused(first);
  EXPECT_NE(refused({2, 0, 5, 0, 4, 0, 0, 0}).find("ends early"), std::string::npos);
  EXPECT_NE(refused({2, 0, 4, 0, 8, 0, 0, 0}).find("at most 16"), std::string::npos);
  EXPECT_TRUE(mentions(refusal({filter(kScaleOffset, {2, 0, 4})}, chunk, 16), "client data"));
  EXPECT_TRUE(mentions(
      refusal({scaleoffset({2, 0, 4, 0, 4})}, packed("21000000", "0000000000000000", "ff"), 16),
      "more bits"));
}

// --- szip ----------------------------------------------------------------------------------------

TEST(Szip, RefusesParametersThatLie) {
  for (const auto& data : std::vector<std::vector<std::uint32_t>>{{},
                                                                  {32, 8, 8},
                                                                  {32, 0, 8, 64},
                                                                  {32, 7, 8, 64},
                                                                  {32, 34, 8, 64},
                                                                  {32, 8, 0, 64},
                                                                  {32, 8, 33, 64},
                                                                  {32, 8, 8, 4},
                                                                  {32, 8, 8, 0},
                                                                  {32, 8, 8, 1025},
                                                                  {32, 8, 8, ~0U}})
    EXPECT_TRUE(mentions(refusal({filter(kSzip, data)}, Bytes(100), 64), "client data"));
}

// --- lz4 and bitshuffle --------------------------------------------------------------------------

TEST(Lz4, BelievesNoSize) {
  const FilterSpec spec = filter(kLz4);
  EXPECT_TRUE(mentions(refusal({spec}, hex("0000000000000008"), 8), "ends early"));
  EXPECT_TRUE(mentions(refusal({spec}, hex("000000000000000800000000"), 8), "not possible"));
  EXPECT_TRUE(mentions(refusal({spec}, hex("ffffffffffffffff00000008"), 8), "not possible"));
  EXPECT_TRUE(mentions(refusal({spec}, hex("000000000000000900000008"), 8), "at most 8"));
  EXPECT_EQ(decoded({spec}, hex("000000000000000000000000"), 0), Bytes{});
}

TEST(Bitshuffle, RefusesParametersThatLie) {
  for (const auto& data : std::vector<std::vector<std::uint32_t>>{
           {}, {0, 4}, {0, 4, 0}, {0, 4, 4, 0, 1}, {0, 4, 4, 0, 9}})
    EXPECT_TRUE(mentions(refusal({filter(kBitshuffle, data)}, Bytes(64), 64), "client data"));
  EXPECT_TRUE(
      mentions(refusal({filter(kBitshuffle, {0, 4, 4, 9})}, Bytes(64), 64), "multiple of 8"));
  EXPECT_TRUE(
      mentions(refusal({filter(kBitshuffle, {0, 4, 5})}, Bytes(64), 64), "part of an element"));
  EXPECT_EQ(decoded({filter(kBitshuffle, {0, 4, ~0U, ~7U})}, {}, 0), Bytes{});
}

}  // namespace
}  // namespace onecast::filters
