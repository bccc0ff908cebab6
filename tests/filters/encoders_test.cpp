// Encoded chunks must equal those of other programs where the format leaves no choice, and
// decode_chunk must always decode them. test_encoded.py lets stock HDF5 decode them.

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "filters/support.hpp"

namespace onecast::filters {
namespace {

using test::Bytes;
using test::decoded;
using test::filter;
using test::kWhere;
using test::mentions;
using test::ones;
using test::oracle;
using test::OracleCase;
using test::pattern;
using test::thrown_by;

/// "Filter Identification Value" of the specification, and the public registry of filters.
constexpr std::uint16_t kDeflate = 1;
constexpr std::uint16_t kShuffle = 2;
constexpr std::uint16_t kFletcher32 = 3;
constexpr std::uint16_t kSzip = 4;
constexpr std::uint16_t kNbit = 5;
constexpr std::uint16_t kScaleOffset = 6;
constexpr std::uint16_t kBzip2 = 307;
constexpr std::uint16_t kLzf = 32000;
constexpr std::uint16_t kBlosc = 32001;
constexpr std::uint16_t kLz4 = 32004;
constexpr std::uint16_t kBitshuffle = 32008;
constexpr std::uint16_t kZstd = 32015;

Bytes noise(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() & 0xFFU);
  return bytes;
}

/// Returns bytes with runs and repetitions, which compress well.
Bytes compressible(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  Bytes bytes;
  while (bytes.size() < size) {
    const std::size_t length = 1 + random() % 300;
    const bool again = random() % 2 != 0 && !bytes.empty();
    const std::size_t from = again ? random() % bytes.size() : 0;
    const auto value = static_cast<std::byte>(random() % 4);
    for (std::size_t i = 0; i < length; ++i) bytes.push_back(again ? bytes[from + i] : value);
  }
  bytes.resize(size);
  return bytes;
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

FilterSpec scale_offset(std::uint32_t factor, std::size_t count, std::uint32_t size, bool is_float,
                        bool is_signed = true, std::vector<std::uint32_t> fill = {1}) {
  std::vector<std::uint32_t> values = {
      is_float ? 0U : 2U,  factor, static_cast<std::uint32_t>(count), is_float ? 1U : 0U, size,
      is_signed ? 1U : 0U, 0};
  values.insert(values.end(), fill.begin(), fill.end());
  values.resize(20);
  return filter(kScaleOffset, values);
}

/// Encodes twice, into used and into new memory. The results must be equal.
EncodedChunk encoded(const std::vector<FilterSpec>& pipeline, const Bytes& data) {
  EncodedChunk chunk{noise(100), 77};
  encode_chunk(pipeline, data, chunk, kWhere);
  const EncodedChunk again = encode_chunk(pipeline, data, kWhere);
  EXPECT_TRUE(chunk.bytes == again.bytes);
  EXPECT_EQ(chunk.filter_mask, again.filter_mask);
  return chunk;
}

void expect_round_trip(const std::vector<FilterSpec>& pipeline, const Bytes& data) {
  const EncodedChunk chunk = encoded(pipeline, data);
  EXPECT_TRUE(decoded(pipeline, chunk.bytes, data.size(), chunk.filter_mask) == data);
}

Error refusal(const FilterSpec& spec, const Bytes& data) {
  Error error = thrown_by([&] { encode_chunk({spec}, data, kWhere); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_TRUE(mentions(error, kWhere + ": filter ")) << error.what();
  return error;
}

/// Returns pipelines of one filter each, for elements of `width` bytes.
std::vector<FilterSpec> all_filters(std::uint32_t width) {
  std::vector<FilterSpec> all = {filter(kShuffle, {width}),
                                 filter(kFletcher32),
                                 filter(kLzf, {4, 261, 0}),
                                 filter(kLz4),
                                 filter(kZstd),
                                 filter(kBzip2)};
  for (const std::uint32_t level : {0U, 1U, 6U, 9U}) all.push_back(filter(kDeflate, {level}));
  for (const std::uint32_t block : {1U, 7U, 100U, 4096U}) all.push_back(filter(kLz4, {block}));
  for (const std::uint32_t level : {1U, 19U, 22U, 0xFFFFFFFBU})
    all.push_back(filter(kZstd, {level}));
  for (const std::uint32_t level : {1U, 9U}) all.push_back(filter(kBzip2, {level}));
  for (const std::uint32_t codec : {0U, 2U, 3U})
    for (const std::uint32_t block : {0U, 8U, 1024U})
      all.push_back(filter(kBitshuffle, {0, 4, width, block, codec}));
  for (const std::uint32_t codec : {0U, 1U, 2U, 4U, 5U})
    for (const std::uint32_t shuffle : {0U, 1U, 2U})
      for (const std::uint32_t level : {0U, 5U, 9U})
        all.push_back(filter(kBlosc, {2, 2, width, 0, level, shuffle, codec}));
  const std::uint32_t bits = 8 * width;
  if (width == 1 || width == 2 || width == 4 || width == 8)
    for (const std::uint32_t coding : {128U + 32, 128U + 4})
      for (const std::uint32_t order : {8U, 16U})
        for (const std::uint32_t line : {32U, 33U, 100U, 256U})
          all.push_back(filter(kSzip, {coding | order | 1, 8, bits, line}));
  for (FilterSpec& spec : all) spec.optional = true;
  return all;
}

// --- what others write ---------------------------------------------------------------------------

bool leaves_no_choice(const OracleCase::Filter& f) {
  switch (f.id) {
    case kShuffle:
    case kFletcher32:
    case kNbit:
    case kScaleOffset:
      return true;
    case kSzip:  // for other widths, the oracle's bytes are not those that it reads back
      return f.client_data[2] % 8 == 0;
    case kBitshuffle:
      return f.client_data.size() < 5 || f.client_data[4] == 0;
    default:
      return false;
  }
}

TEST(EncodeChunk, WritesWhatOthersWrite) {
  int compared = 0;
  for (const OracleCase& c : oracle()) {
    if (!std::all_of(c.filters.begin(), c.filters.end(), leaves_no_choice)) continue;
    SCOPED_TRACE(c.name);
    const EncodedChunk chunk = encoded(c.pipeline(), c.data);
    EXPECT_EQ(chunk.filter_mask, 0U);
    EXPECT_EQ(chunk.bytes, c.chunk());
    ++compared;
  }
  EXPECT_GT(compared, 60);
}

TEST(EncodeChunk, WhatOthersWriteIsReadAgain) {
  for (const OracleCase& c : oracle()) {
    SCOPED_TRACE(c.name);
    std::vector<FilterSpec> pipeline = c.pipeline();
    for (FilterSpec& spec : pipeline) spec.optional = true;
    expect_round_trip(pipeline, c.data);
  }
}

// --- round trips ---------------------------------------------------------------------------------

TEST(EncodeChunk, RoundTripsOfEveryFilter) {
  for (const std::uint32_t width : {1U, 2U, 3U, 4U, 8U, 12U})
    for (const FilterSpec& spec : all_filters(width))
      for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 33U, 1000U}) {
        const std::size_t size = count * width;
        SCOPED_TRACE(std::to_string(spec.id) + " width " + std::to_string(width) + " count " +
                     std::to_string(count));
        for (const Bytes& data : {pattern(size), noise(size), compressible(size), Bytes(size)})
          expect_round_trip({spec}, data);
      }
}

TEST(EncodeChunk, RoundTripsOfAnyPipeline) {
  std::minstd_rand random(3);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t width = 1U << random() % 4;
    const std::vector<FilterSpec> all = all_filters(width);
    std::vector<FilterSpec> pipeline;
    for (std::size_t n = 1 + random() % 4; n-- > 0;) {
      pipeline.push_back(all[random() % all.size()]);
      // After another filter there are no whole elements.
      if (pipeline.size() > 1 && pipeline.back().id == kBitshuffle)
        pipeline.back().client_data[2] = 1;
    }
    const std::size_t size = random() % 5000 * width;

    expect_round_trip(pipeline, random() % 3 == 0
                                    ? noise(size, static_cast<unsigned>(random()))
                                    : compressible(size, static_cast<unsigned>(random())));
  }
}

TEST(EncodeChunk, OfLargeChunks) {
  const Bytes data = compressible(3000000);
  for (const FilterSpec& spec :
       {filter(kDeflate, {6}), filter(kLzf, {4, 261, 0}), filter(kLz4, {1U << 20U}), filter(kZstd),
        filter(kBlosc, {2, 2, 4, 0, 5, 1, 1}), filter(kBitshuffle, {0, 4, 4, 0, 2})}) {
    const EncodedChunk chunk = encoded({spec}, data);
    EXPECT_LT(chunk.bytes.size(), data.size() / 4) << spec.id;
    EXPECT_TRUE(decoded({spec}, chunk.bytes, data.size()) == data);
  }
}

TEST(EncodeChunk, OnManyThreadsGivesTheSame) {
  const Bytes data = compressible(40000);
  const std::vector<FilterSpec> all = all_filters(4);
  std::vector<EncodedChunk> expected;
  for (const FilterSpec& spec : all) expected.push_back(encode_chunk({spec}, data, kWhere));
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < 4; ++n)
    threads.emplace_back([&, n] {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t which = (i * 7 + n * 13) % all.size();
        const EncodedChunk chunk = encode_chunk({all[which]}, data, kWhere);
        EXPECT_TRUE(chunk.bytes == expected[which].bytes) << all[which].id;
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(EncodeChunk, WithoutFiltersCopies) {
  EXPECT_EQ(encoded({}, pattern(9)).bytes, pattern(9));
  EXPECT_EQ(encoded({}, {}).bytes, Bytes{});
}

// --- filters that are left out -------------------------------------------------------------------

TEST(EncodeChunk, LeavesOutWhatMakesNothingSmaller) {
  for (FilterSpec spec : {filter(kLzf, {4, 261, 0}), filter(kSzip, {141, 8, 8, 100}),
                          filter(kBlosc, {2, 2, 1, 0, 5, 1, 1})}) {
    SCOPED_TRACE(spec.id);
    const Bytes data = noise(1000);
    EXPECT_TRUE(mentions(refusal(spec, data), "cannot make this chunk smaller"));
    spec.optional = true;
    const std::vector<FilterSpec> pipeline = {filter(kShuffle, {4}), spec, filter(kFletcher32)};
    const EncodedChunk chunk = encoded(pipeline, data);
    EXPECT_EQ(chunk.filter_mask, 0b010U);
    EXPECT_EQ(decoded(pipeline, chunk.bytes, data.size(), chunk.filter_mask), data);
  }
}

TEST(EncodeChunk, OtherFiltersStoreWhatBecomesLarger) {
  for (FilterSpec spec : {filter(kDeflate, {6}), filter(kZstd, {3}), filter(kBzip2, {9}),
                          filter(kLz4), filter(kBitshuffle, {0, 4, 1, 0, 2})}) {
    spec.optional = true;
    const EncodedChunk chunk = encoded({spec}, noise(1000));
    EXPECT_EQ(chunk.filter_mask, 0U) << spec.id;
    EXPECT_GT(chunk.bytes.size(), 1000U) << spec.id;
  }
}

TEST(EncodeChunk, LeavesOutAnOptionalFilterThatFails) {
  FilterSpec wrong = filter(kDeflate, {10});
  EXPECT_TRUE(mentions(refusal(wrong, pattern(8)), "the level, 0 to 9"));
  wrong.optional = true;
  const EncodedChunk chunk = encoded({wrong}, pattern(8));
  EXPECT_EQ(chunk.filter_mask, 1U);
  EXPECT_EQ(chunk.bytes, pattern(8));
}

TEST(EncodeChunk, OfAFilterThatOnecastLacks) {
  FilterSpec unknown = filter(32013);
  const Error error = thrown_by([&] { encode_chunk({unknown}, pattern(8), kWhere); });
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_TRUE(mentions(error, "writing with filter 32013 (zfp)")) << error.what();
  EXPECT_EQ(thrown_by([&] { require_encoders({unknown}, kWhere); }).code(), ErrorCode::unsupported);
  unknown.optional = true;
  require_encoders({unknown}, kWhere);
  EXPECT_EQ(encoded({unknown}, pattern(8)).filter_mask, 1U);
}

TEST(EncodeChunk, RefusesTooManyFilters) {
  const std::vector<FilterSpec> pipeline(33, filter(kShuffle, {1}));
  EXPECT_EQ(thrown_by([&] { encode_chunk(pipeline, pattern(4), kWhere); }).code(),
            ErrorCode::invalid_argument);
}

TEST(EncodeChunk, RefusesClientDataThatDoNotFit) {
  const Bytes data = pattern(40);
  refusal(filter(kDeflate), data);
  refusal(filter(kShuffle, {0}), data);
  refusal(filter(kSzip, {141, 8, 8}), data);
  refusal(filter(kSzip, {141, 8, 64, 32}), pattern(41));
  refusal(filter(kNbit, {8, 0, 9, 1, 4, 0, 20, 0}), data);
  refusal(filter(kNbit, {7, 0, 10, 1, 4, 0, 20}), data);
  refusal(scale_offset(0, 9, 4, false), data);
  refusal(scale_offset(33, 10, 4, false), data);
  refusal(scale_offset(~0U, 10, 4, false), data);
  refusal(filter(kBlosc, {2, 2}), data);
  refusal(filter(kBlosc, {2, 2, 0, 40}), data);
  refusal(filter(kBlosc, {2, 2, 4, 40, 10}), data);
  refusal(filter(kBlosc, {2, 2, 4, 40, 5, 3}), data);
  refusal(filter(kBlosc, {2, 2, 4, 40, 5, 1, 77}), data);
  refusal(filter(kBzip2, {10}), data);
  refusal(filter(kBitshuffle, {0, 4, 3, 0, 2}), data);
  refusal(filter(kBitshuffle, {0, 4, 4, 12, 2}), data);
  refusal(filter(kBitshuffle, {0, 4, 4, 8, 1}), data);
}

// --- n-bit and scale-offset ----------------------------------------------------------------------

TEST(Nbit, KeepsTheSignificantBits) {
  std::mt19937_64 random(5);
  for (const std::uint32_t size : {1U, 2U, 3U, 4U, 5U, 8U, 12U})
    for (const std::uint32_t order : {0U, 1U})
      for (int round = 0; round < 30; ++round) {
        const auto precision = static_cast<std::uint32_t>(1 + random() % (8 * size));
        const auto offset = static_cast<std::uint32_t>(random() % (8 * size - precision + 1));
        const FilterSpec spec = filter(kNbit, {8, 0, 50, 1, size, order, precision, offset});
        Bytes data = noise(50 * std::size_t{size}, static_cast<unsigned>(random()));
        const Bytes stored = encoded({spec}, data).bytes;
        EXPECT_EQ(stored.size(), 50 * precision / 8 + 1);
        for (std::size_t i = 0; i < data.size(); ++i) {
          const std::size_t place = order == 0 ? i % size : size - 1 - i % size;
          for (unsigned bit = 0; bit < 8; ++bit)
            if (8 * place + bit < offset || 8 * place + bit >= offset + precision)
              data[i] &= ~static_cast<std::byte>(1U << bit);
        }
        EXPECT_EQ(decoded({spec}, stored, data.size()), data);
      }
}

template <class T>
void expect_integers(std::vector<T> values, std::vector<std::uint32_t> fill = {1}) {
  expect_round_trip(
      {scale_offset(0, values.size(), sizeof(T), false, std::is_signed_v<T>, std::move(fill))},
      bytes_of(values));
}

template <class T>
void expect_integers_of() {
  using Limits = std::numeric_limits<T>;
  std::mt19937_64 random(6);
  expect_integers<T>({});
  for (const auto& fill : std::vector<std::vector<std::uint32_t>>{{0}, {1}, {1, 5}, {1, 255, 0}}) {
    expect_integers<T>({7}, fill);
    expect_integers<T>({5, 5, 5}, fill);
    expect_integers<T>({Limits::min(), Limits::max()}, fill);
    expect_integers<T>({Limits::min(), Limits::max() - 1, 0}, fill);
    expect_integers<T>({Limits::min(), Limits::max() - 2, 5}, fill);
    expect_integers<T>({Limits::min(), Limits::max() - 3, 5}, fill);
    for (unsigned bits = 1; bits <= 8 * sizeof(T); ++bits) {
      std::vector<T> values(37);
      for (T& v : values) v = static_cast<T>(random() >> (64 - bits));
      expect_integers(values, fill);
      for (T& v : values) v = static_cast<T>(~v);
      expect_integers(values, fill);
    }
  }
}

TEST(ScaleOffset, KeepsEveryInteger) {
  expect_integers_of<std::int8_t>();
  expect_integers_of<std::uint8_t>();
  expect_integers_of<std::int16_t>();
  expect_integers_of<std::uint16_t>();
  expect_integers_of<std::int32_t>();
  expect_integers_of<std::uint32_t>();
  expect_integers_of<std::int64_t>();
  expect_integers_of<std::uint64_t>();
}

template <class T>
void expect_floats(const std::vector<T>& values, std::int32_t decimals,
                   const std::vector<std::uint32_t>& fill) {
  const FilterSpec spec = scale_offset(static_cast<std::uint32_t>(decimals), values.size(),
                                       sizeof(T), true, false, fill);
  const Bytes back =
      decoded({spec}, encoded({spec}, bytes_of(values)).bytes, values.size() * sizeof(T));
  const double most = 0.51 * std::pow(10.0, -decimals);
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, back.data() + i * sizeof(T), sizeof value);
    const double error = static_cast<double>(std::abs(value - values[i]));
    const double own =
        4 * static_cast<double>(std::abs(values[i]) * std::numeric_limits<T>::epsilon());
    // Values near the fill value may become it.
    EXPECT_LE(error, 2 * most + own) << values[i] << ' ' << decimals;
  }
}

TEST(ScaleOffset, RoundsFloats) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1000, 1000);
  for (const std::int32_t decimals : {-2, 0, 1, 3})
    for (const auto& fill : std::vector<std::vector<std::uint32_t>>{{0}, {1}}) {
      std::vector<double> doubles(50);
      for (double& v : doubles) v = uniform(random);
      expect_floats(doubles, decimals, fill);
      expect_floats(std::vector<float>(doubles.begin(), doubles.end()), decimals, fill);
      expect_floats<double>({}, decimals, fill);
      expect_floats<double>({0, 0}, decimals, fill);
      expect_floats<float>({5}, decimals, fill);
    }
}

TEST(ScaleOffset, KeepsFloatsThatCannotBeRounded) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& values : std::vector<std::vector<double>>{{1, kNan, 3},
                                                             {kNan},
                                                             {kInfinity, 1},
                                                             {-kInfinity, kInfinity},
                                                             {1e300, -1e300},
                                                             {1e308, -1e308, 1e308},
                                                             {1e25, 0, 1}})
    for (const std::uint32_t decimals : {2U, 400U, static_cast<std::uint32_t>(-400), 0x80000000U})
      for (const auto& fill :
           std::vector<std::vector<std::uint32_t>>{{0}, {1}, {1, 0, 0x7FF80000U}})
        expect_round_trip({scale_offset(decimals, values.size(), 8, true, false, fill)},
                          bytes_of(values));
}

}  // namespace
}  // namespace onecast::filters
