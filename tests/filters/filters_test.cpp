#include "filters/filters.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "filters/filter_name.hpp"
#include "filters/support.hpp"

namespace onecast::filters {
namespace {

using test::Bytes;
using test::decoded;
using test::filter;
using test::kWhere;
using test::mentions;
using test::oracle;
using test::OracleCase;
using test::pattern;
using test::refusal;
using test::thrown_by;

constexpr std::uint16_t kDeflate = 1;
constexpr std::uint16_t kShuffle = 2;
constexpr std::uint16_t kFletcher32 = 3;
constexpr std::uint16_t kUnknown = 32013;

Bytes deflated(const Bytes& data) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  Bytes out(libdeflate_zlib_compress_bound(compressor, data.size()));
  out.resize(
      libdeflate_zlib_compress(compressor, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

// --- what others write ---------------------------------------------------------------------------

TEST(DecodeChunk, ReadsWhatOthersWrite) {
  for (const OracleCase& c : oracle()) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(decoded(c.pipeline(), c.chunk(), c.data.size()), c.data);
  }
}

/// Every truncation is refused, unless only bits without a meaning are missing.
TEST(DecodeChunk, RefusesEveryTruncation) {
  for (const OracleCase& c : oracle()) {
    SCOPED_TRACE(c.name);
    const Bytes whole = c.chunk();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      try {
        decode_chunk(c.pipeline(), 0, cut, c.data.size(), kWhere);
        ASSERT_EQ(cut, c.data) << size;
        ASSERT_EQ(size + 1, whole.size());
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), ErrorCode::format) << size;
      }
    }
  }
}

TEST(DecodeChunk, ChecksumsSeeEveryFlippedBit) {
  for (const OracleCase& c : oracle()) {
    if (c.filters.back().id != kFletcher32) continue;
    SCOPED_TRACE(c.name);
    for (std::size_t i = 0; i < c.chunk().size(); ++i)
      for (unsigned bit = 0; bit < 8; ++bit) {
        Bytes flipped = c.chunk();
        flipped[i] ^= static_cast<std::byte>(1U << bit);
        ASSERT_EQ(refusal(c.pipeline(), flipped, c.data.size()).code(), ErrorCode::format) << i;
      }
  }
}

void decode_noise(const std::vector<FilterSpec>& pipeline, Bytes chunk, std::size_t size) {
  try {
    decode_chunk(pipeline, 0, chunk, size, kWhere);
    EXPECT_EQ(chunk.size(), size);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::format);
  }
}

TEST(DecodeChunk, SurvivesNoise) {
  std::mt19937 random(1);
  for (const OracleCase& c : oracle()) {
    SCOPED_TRACE(c.name);
    for (int round = 0; round < 300; ++round) {
      Bytes noisy = c.chunk();
      for (int n = 0; n < 3; ++n)
        noisy[random() % noisy.size()] = static_cast<std::byte>(random() & 0xFFU);
      decode_noise(c.pipeline(), noisy, c.data.size());
    }
  }
}

TEST(DecodeChunk, SurvivesNoiseInTheParameters) {
  std::mt19937 random(1);
  for (const OracleCase& c : oracle()) {
    SCOPED_TRACE(c.name);
    for (int round = 0; round < 100; ++round) {
      std::vector<FilterSpec> pipeline = c.pipeline();
      for (FilterSpec& spec : pipeline)
        for (std::uint32_t& value : spec.client_data)
          if (random() % 4 == 0) value = static_cast<std::uint32_t>(random() >> random() % 32);
      decode_noise(pipeline, c.chunk(), c.data.size());
    }
  }
}

TEST(DecodeChunk, RunsOnManyThreads) {
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n)
    threads.emplace_back([] {
      for (int round = 0; round < 20; ++round)
        for (const OracleCase& c : oracle()) {
          Bytes chunk = c.chunk();
          decode_chunk(c.pipeline(), 0, chunk, c.data.size(), kWhere);
          EXPECT_EQ(chunk, c.data);
        }
    });
  for (std::thread& thread : threads) thread.join();
}

// --- the pipeline --------------------------------------------------------------------------------

TEST(DecodeChunk, WithoutFiltersChecksTheSize) {
  EXPECT_EQ(decoded({}, pattern(9), 9), pattern(9));
  EXPECT_TRUE(mentions(refusal({}, pattern(9), 10), "the chunk has 9 bytes, 10 are expected"));
}

TEST(DecodeChunk, LeavesOutMaskedFilters) {
  const std::vector<FilterSpec> pipeline = {filter(kShuffle, {4}), filter(kDeflate),
                                            filter(kFletcher32)};
  EXPECT_EQ(decoded(pipeline, pattern(40), 40, 0b111), pattern(40));
  EXPECT_EQ(decoded(pipeline, deflated(pattern(40)), 40, 0b101), pattern(40));
}

TEST(DecodeChunk, RefusesTooManyFilters) {
  const std::vector<FilterSpec> pipeline(33, filter(kShuffle, {1}));
  EXPECT_EQ(refusal(pipeline, pattern(4), 4).code(), ErrorCode::format);
  EXPECT_EQ(decoded({pipeline.begin(), pipeline.end() - 1}, pattern(4), 4), pattern(4));
}

TEST(DecodeChunk, RefusesUnknownFiltersByNumberAndName) {
  const auto refused = [](FilterSpec spec) {
    Error error = refusal({filter(kShuffle, {4}), std::move(spec)}, pattern(8), 8);
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    return error;
  };
  EXPECT_TRUE(mentions(refused(filter(kUnknown)), "filter 32013 (zfp)"));
  EXPECT_TRUE(mentions(refused({40000, true, "own\n", {}}), "filter 40000 (own?)"));
  EXPECT_EQ(std::string(refused(filter(40000)).what()), kWhere + ": not supported: filter 40000");
}

TEST(DecodeChunk, AMaskedUnknownFilterDoesNotMatter) {
  EXPECT_EQ(decoded({filter(kUnknown)}, pattern(8), 8, 1), pattern(8));
  require_filters({filter(kUnknown)}, 1, kWhere);
  EXPECT_EQ(thrown_by([] { require_filters({filter(kUnknown)}, 0, kWhere); }).code(),
            ErrorCode::unsupported);
}

TEST(FilterName, KnowsTheRegistry) {
  EXPECT_EQ(filter_name(1), "deflate");
  EXPECT_EQ(filter_name(32008), "bitshuffle");
  EXPECT_EQ(filter_name(0), "");
}

// --- deflate -------------------------------------------------------------------------------------

TEST(Deflate, AcceptsBytesAfterTheStream) {
  Bytes chunk = deflated(pattern(100));
  chunk.resize(chunk.size() + 20);
  EXPECT_EQ(decoded({filter(kDeflate)}, chunk, 100), pattern(100));
}

TEST(Deflate, RefusesMoreThanTheChunkHolds) {
  const Bytes bomb = deflated(Bytes(1U << 20U));
  const Error error = refusal({filter(kDeflate)}, bomb, 100);
  EXPECT_EQ(error.code(), ErrorCode::format);
  EXPECT_TRUE(mentions(error, "filter 1 (deflate): inflates to more than the 100 bytes"))
      << error.what();
}

TEST(Deflate, TwiceIsUndoneTwice) {
  const Bytes data(100000);
  EXPECT_EQ(decoded({filter(kDeflate), filter(kDeflate)}, deflated(deflated(data)), data.size()),
            data);
  // The data is incompressible: the first deflation makes it larger than the chunk.
  std::mt19937 random(2);
  Bytes noise(5000);
  for (auto& b : noise) b = static_cast<std::byte>(random() & 0xFFU);
  EXPECT_EQ(decoded({filter(kDeflate), filter(kDeflate)}, deflated(deflated(noise)), 5000), noise);
}

TEST(Deflate, AllocatesByWhatIsThereNotByWhatIsClaimed) {
  constexpr std::size_t kClaimed = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_EQ(refusal({filter(kDeflate)}, deflated(pattern(100)), kClaimed).code(),
            ErrorCode::format);
  EXPECT_EQ(refusal(std::vector(32, filter(kDeflate)), deflated(pattern(100)),
                    std::numeric_limits<std::size_t>::max())
                .code(),
            ErrorCode::format);
}

TEST(Deflate, ReachesTheHighestRatio) {
  const Bytes zeros(10U << 20U);
  EXPECT_TRUE(decoded({filter(kDeflate)}, deflated(zeros), zeros.size()) == zeros);
}

// --- shuffle -------------------------------------------------------------------------------------

TEST(Shuffle, KeepsTheRestOfALastElement) {
  // The chunk has two elements of 3 bytes, shuffled, and one more byte.
  EXPECT_EQ(decoded({filter(kShuffle, {3})}, test::text_bytes("adbecfx"), 7),
            test::text_bytes("abcdefx"));
}

TEST(Shuffle, LeavesFewerThanTwoElementsAlone) {
  EXPECT_EQ(decoded({filter(kShuffle, {8})}, pattern(15), 15), pattern(15));
  EXPECT_EQ(decoded({filter(kShuffle, {~0U})}, pattern(15), 15), pattern(15));
  EXPECT_EQ(decoded({filter(kShuffle, {8})}, {}, 0), Bytes{});
}

TEST(Shuffle, RefusesWrongClientData) {
  for (const auto& data : std::vector<std::vector<std::uint32_t>>{{}, {0}, {4, 4}})
    EXPECT_TRUE(mentions(refusal({filter(kShuffle, data)}, pattern(8), 8), "client data"));
}

// --- fletcher32 ----------------------------------------------------------------------------------

TEST(Fletcher32, AcceptsTheByteOrderOfOldVersions) {
  for (const OracleCase& c : oracle()) {
    if (c.filters.size() != 1 || c.filters[0].id != kFletcher32) continue;
    SCOPED_TRACE(c.name);
    Bytes old = c.chunk();
    std::swap(old[old.size() - 1], old[old.size() - 2]);
    std::swap(old[old.size() - 3], old[old.size() - 4]);
    EXPECT_EQ(decoded(c.pipeline(), old, c.data.size()), c.data);
  }
}

TEST(Fletcher32, OfZerosAndOfNothingIsZero) {
  EXPECT_EQ(decoded({filter(kFletcher32)}, Bytes(1004), 1000), Bytes(1000));
  EXPECT_EQ(decoded({filter(kFletcher32)}, Bytes(4), 0), Bytes{});
}

TEST(Fletcher32, NamesBothChecksums) {
  Bytes chunk(8);
  chunk[7] = std::byte{1};
  EXPECT_TRUE(mentions(refusal({filter(kFletcher32)}, chunk, 4),
                       "filter 3 (fletcher32): checksum is 0x01000000, the data have 0x00000000"));
}

}  // namespace
}  // namespace onecast::filters
