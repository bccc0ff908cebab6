#include "filters/filters.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/pattern.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using Bytes = std::vector<std::byte>;
using test::pattern;
using test::thrown_by;

constexpr std::uint16_t kDeflate = 1;
constexpr std::uint16_t kShuffle = 2;
constexpr std::uint16_t kFletcher32 = 3;

const std::string kWhere = "a.h5: address 0x800: chunk (0)";

FilterSpec filter(std::uint16_t id, std::vector<std::uint32_t> client_data = {}) {
  return {id, false, "", std::move(client_data)};
}

Bytes decoded(const std::vector<FilterSpec>& pipeline, Bytes chunk, std::size_t size,
              std::uint32_t mask = 0) {
  decode_chunk(pipeline, mask, chunk, size, kWhere);
  return chunk;
}

/// The Error of decoding; its text always begins with where.
Error refusal(const std::vector<FilterSpec>& pipeline, const Bytes& chunk, std::size_t size,
              std::uint32_t mask = 0) {
  Error error = thrown_by([&] { decoded(pipeline, chunk, size, mask); });
  EXPECT_EQ(std::string(error.what()).rfind(kWhere + ": ", 0), 0U) << error.what();
  return error;
}

bool mentions(const Error& error, std::string_view text) {
  return std::string_view(error.what()).find(text) != std::string_view::npos;
}

Bytes deflated(const Bytes& data) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  Bytes out(libdeflate_zlib_compress_bound(compressor, data.size()));
  out.resize(
      libdeflate_zlib_compress(compressor, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

// --- what stock HDF5 and zlib write --------------------------------------------------------------

struct OracleFilter {
  std::uint16_t id;
  std::vector<std::uint32_t> client_data;
};
struct OracleCase {
  const char* name;
  Bytes (*data)(std::size_t size);
  std::size_t size;
  std::vector<OracleFilter> pipeline;
  std::string_view stored;  ///< hexadecimal

  [[nodiscard]] std::vector<FilterSpec> specs() const {
    std::vector<FilterSpec> specs;
    for (const auto& f : pipeline) specs.push_back(filter(f.id, f.client_data));
    return specs;
  }
  [[nodiscard]] Bytes chunk() const {
    Bytes bytes;
    for (std::size_t i = 0; i < stored.size(); i += 2)
      bytes.push_back(
          static_cast<std::byte>(std::stoi(std::string(stored.substr(i, 2)), nullptr, 16)));
    return bytes;
  }
};

const std::vector<OracleCase>& oracle() {
  const auto pattern = [](std::size_t size) { return test::pattern(size); };
  const auto ones = [](std::size_t size) { return Bytes(size, std::byte{0xFF}); };
  static const std::vector<OracleCase> cases = {
#include "oracle.inc"
  };
  return cases;
}

TEST(DecodeChunk, ReadsWhatStockWrites) {
  for (const OracleCase& c : oracle()) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(decoded(c.specs(), c.chunk(), c.size), c.data(c.size));
  }
}

TEST(DecodeChunk, RefusesEveryTruncation) {
  for (const OracleCase& c : oracle()) {
    SCOPED_TRACE(c.name);
    const Bytes whole = c.chunk();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      ASSERT_EQ(refusal(c.specs(), cut, c.size).code(), ErrorCode::format) << size;
    }
  }
}

TEST(DecodeChunk, ChecksumsSeeEveryFlippedBit) {
  for (const OracleCase& c : oracle()) {
    if (c.pipeline.back().id != kFletcher32) continue;
    SCOPED_TRACE(c.name);
    for (std::size_t i = 0; i < c.chunk().size(); ++i)
      for (unsigned bit = 0; bit < 8; ++bit) {
        Bytes flipped = c.chunk();
        flipped[i] ^= static_cast<std::byte>(1U << bit);
        ASSERT_EQ(refusal(c.specs(), flipped, c.size).code(), ErrorCode::format) << i;
      }
  }
}

TEST(DecodeChunk, SurvivesNoise) {
  std::mt19937 random(1);
  for (const OracleCase& c : oracle()) {
    SCOPED_TRACE(c.name);
    for (int round = 0; round < 500; ++round) {
      Bytes noisy = c.chunk();
      for (int n = 0; n < 3; ++n)
        noisy[random() % noisy.size()] = static_cast<std::byte>(random() & 0xFFU);
      try {
        EXPECT_EQ(decoded(c.specs(), noisy, c.size).size(), c.size);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::format);
      }
    }
  }
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
  EXPECT_TRUE(mentions(refused(filter(32015)), "filter 32015 (zstd)"));
  EXPECT_TRUE(mentions(refused(filter(4)), "filter 4 (szip)"));
  EXPECT_TRUE(mentions(refused({40000, true, "own\n", {}}), "filter 40000 (own?)"));
  EXPECT_EQ(std::string(refused(filter(40000)).what()), kWhere + ": not supported: filter 40000");
}

TEST(DecodeChunk, AMaskedUnknownFilterDoesNotMatter) {
  EXPECT_EQ(decoded({filter(32015)}, pattern(8), 8, 1), pattern(8));
  require_filters({filter(32015)}, 1, kWhere);
  EXPECT_EQ(thrown_by([] { require_filters({filter(32015)}, 0, kWhere); }).code(),
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
  // Incompressible: the first deflation makes it larger than the chunk.
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
  // Two elements of 3 bytes, shuffled, and one byte more.
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
    if (c.pipeline.size() != 1 || c.pipeline[0].id != kFletcher32) continue;
    SCOPED_TRACE(c.name);
    Bytes old = c.chunk();
    std::swap(old[old.size() - 1], old[old.size() - 2]);
    std::swap(old[old.size() - 3], old[old.size() - 4]);
    EXPECT_EQ(decoded(c.specs(), old, c.size), c.data(c.size));
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
}  // namespace onecast
