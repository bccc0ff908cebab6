#include "onecast/filters/register_filter.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

#include "filters/support.hpp"

namespace onecast::filters {
namespace {

using test::Bytes;
using test::decoded;
using test::filter;
using test::mentions;
using test::pattern;
using test::refusal;
using test::thrown_by;

constexpr std::uint16_t kOwn = 40001;

Bytes inverted(std::span<const std::byte> bytes) {
  Bytes out;
  for (const std::byte b : bytes) out.push_back(~b);
  return out;
}

/// Registers a filter for one test.
class Registration {
 public:
  explicit Registration(FilterFunction decode, FilterFunction encode = {}) {
    register_filter(kOwn, "own", std::move(decode), std::move(encode));
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration() { unregister_filter(kOwn); }
};

TEST(RegisterFilter, IsUsedInAPipeline) {
  const Registration own([](const FilterInput& in) {
    EXPECT_EQ(in.client_data.size(), 2U);
    EXPECT_EQ(in.client_data[1], 9U);
    EXPECT_GE(in.max_size, 12U);
    return inverted(in.bytes);
  });
  EXPECT_EQ(decoded({filter(kOwn, {7, 9})}, inverted(pattern(12)), 12), pattern(12));
  const Bytes shuffled = decoded({filter(2, {4})}, pattern(12), 12);
  EXPECT_EQ(decoded({filter(2, {4}), filter(kOwn, {7, 9})}, inverted(pattern(12)), 12), shuffled);
  EXPECT_EQ(decoded({filter(kOwn, {7, 9})}, pattern(12), 12, 1), pattern(12));
}

TEST(RegisterFilter, EndsWhenTakenBack) {
  {
    const Registration own([](const FilterInput& in) { return inverted(in.bytes); });
    require_filters({filter(kOwn)}, 0, test::kWhere);
  }
  EXPECT_EQ(refusal({filter(kOwn)}, pattern(4), 4).code(), ErrorCode::unsupported);
  EXPECT_FALSE(unregister_filter(kOwn));
}

TEST(RegisterFilter, TheLastOneCounts) {
  const Registration first([](const FilterInput& in) { return inverted(in.bytes); });
  const Registration second([](const FilterInput& in) { return Bytes(in.bytes.size()); });
  EXPECT_EQ(decoded({filter(kOwn)}, pattern(4), 4), Bytes(4));
}

TEST(RegisterFilter, FailuresNameChunkAndFilter) {
  {
    const Registration own(
        [](const FilterInput&) -> Bytes { throw std::runtime_error("no luck"); });
    const Error error = refusal({filter(kOwn)}, pattern(4), 4);
    EXPECT_EQ(error.code(), ErrorCode::format);
    EXPECT_TRUE(mentions(error, "chunk (0): filter 40001 (own): no luck")) << error.what();
  }
  const Registration odd([](const FilterInput&) -> Bytes { throw 1; });
  EXPECT_TRUE(mentions(refusal({filter(kOwn)}, pattern(4), 4), "filter 40001"));
}

TEST(RegisterFilter, TooLargeAResultIsRefused) {
  const Registration own([](const FilterInput&) { return Bytes(100); });
  EXPECT_TRUE(mentions(refusal({filter(kOwn)}, pattern(4), 10), "100 bytes"));
}

TEST(RegisterFilter, MayReadAnotherChunk) {
  const Registration own([](const FilterInput& in) {
    Bytes inner(in.bytes.begin(), in.bytes.end());
    decode_chunk({filter(2, {4})}, 0, inner, inner.size(), "inner");
    return inner;
  });
  const Bytes once = decoded({filter(2, {4})}, pattern(32), 32);
  const Bytes twice = decoded({filter(2, {4})}, once, 32);
  EXPECT_EQ(decoded({filter(2, {4}), filter(kOwn)}, pattern(32), 32), twice);
}

TEST(RegisterFilter, IsWrittenWithIfItCanEncode) {
  const auto invert = [](const FilterInput& in) { return inverted(in.bytes); };
  const std::vector<FilterSpec> pipeline = {filter(2, {4}), filter(kOwn, {7})};
  {
    const Registration own(invert, [&](const FilterInput& in) {
      EXPECT_EQ(in.client_data[0], 7U);
      return inverted(in.bytes);
    });
    require_encoders(pipeline, test::kWhere);
    const EncodedChunk chunk = encode_chunk(pipeline, pattern(64), test::kWhere);
    EXPECT_EQ(chunk.filter_mask, 0U);
    EXPECT_EQ(decoded(pipeline, chunk.bytes, 64), pattern(64));
  }
  const Registration own(invert);
  const auto refused = [](auto&& call) { return thrown_by(call).code(); };
  EXPECT_EQ(refused([&] { require_encoders(pipeline, test::kWhere); }), ErrorCode::unsupported);
  EXPECT_EQ(refused([&] { encode_chunk(pipeline, pattern(8), test::kWhere); }),
            ErrorCode::unsupported);
}

TEST(RegisterFilter, ThatCannotEncodeAChunkIsLeftOutOrAnError) {
  const auto expect = [](const FilterFunction& encode, std::string_view text) {
    const Registration own([](const FilterInput& in) { return inverted(in.bytes); }, encode);
    FilterSpec spec = filter(kOwn);
    const Error error = thrown_by([&] { encode_chunk({spec}, pattern(8), test::kWhere); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_TRUE(mentions(error, text)) << error.what();
    spec.optional = true;
    const EncodedChunk chunk = encode_chunk({spec}, pattern(8), test::kWhere);
    EXPECT_EQ(chunk.filter_mask, 1U);
    EXPECT_EQ(chunk.bytes, pattern(8));
  };
  expect([](const FilterInput&) { return Bytes{}; }, "filter 40001 (own): it cannot");
  expect([](const FilterInput&) -> Bytes { throw std::runtime_error("no luck"); }, "no luck");
}

TEST(RegisterFilter, RefusesNumbersThatAreNotToBeHad) {
  const FilterFunction decode = [](const FilterInput& in) { return inverted(in.bytes); };
  for (const std::uint16_t id : std::vector<std::uint16_t>{1, 4, 307, 32015})
    EXPECT_TRUE(mentions(thrown_by([&] { register_filter(id, "mine", decode); }), "Onecast's own"));
  for (const std::uint16_t id : std::vector<std::uint16_t>{0, 7, 255}) {
    const Error error = thrown_by([&] { register_filter(id, "mine", decode); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_TRUE(mentions(error, "below 256")) << error.what();
  }
  EXPECT_EQ(thrown_by([&] { register_filter(kOwn, "mine", {}); }).code(),
            ErrorCode::invalid_argument);
}

TEST(RegisterFilter, MayGoOnWhileOthersRead) {
  const FilterFunction decode = [](const FilterInput& in) { return inverted(in.bytes); };
  const Registration own(decode);
  std::atomic<int> reading = 3;
  std::vector<std::thread> readers;
  for (int n = 0; n < 3; ++n)
    readers.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        Bytes chunk = inverted(pattern(64));
        decode_chunk({filter(kOwn)}, 0, chunk, 64, "thread");
        EXPECT_EQ(chunk, pattern(64));
      }
      --reading;
    });
  while (reading != 0) register_filter(kOwn, "own", decode);
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace onecast::filters
