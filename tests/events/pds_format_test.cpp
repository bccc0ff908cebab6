#include "pds/pds_format.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <random>

#include "model/byte_file.hpp"
#include "onecast/base/error.hpp"
#include "pds/pds.hpp"
#include "pds/pds_index.hpp"
#include "support/temporary_directory.hpp"

namespace onecast::events::pds {
namespace {

const ProductList kList{
    "root", {{"muons", "std::vector<Muon>"}, {"n", "int"}, {"tracks", "std::vector<Track>"}}};

std::vector<std::byte> bytes_of(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() % 7);
  return bytes;
}

/// A file with some events, in the compression.
std::vector<std::byte> sample_file(Codec codec, std::vector<std::vector<std::byte>>& kept) {
  std::vector<std::byte> file = encode_header(kList, codec);
  for (unsigned i = 0; i < 2; ++i) {
    std::vector<Bytes> products;
    kept.push_back(bytes_of(40 * i, i));
    kept.push_back(bytes_of(4, i));
    kept.push_back(bytes_of(8 + 4 * i, i));
    for (std::size_t p = kept.size() - 3; p < kept.size(); ++p) products.emplace_back(kept[p]);
    const auto record = encode_record({1, i, (std::uint64_t{1} << 33U) + i}, products, {codec, 1});
    file.insert(file.end(), record.begin(), record.end());
  }
  return file;
}

class PdsFormatTest : public ::testing::TestWithParam<Codec> {
 protected:
  void write(const std::vector<std::byte>& bytes) const {
    ByteFile file = ByteFile::create(path_);
    const Bytes all = bytes;
    file.append({&all, 1});
    file.close();
  }
  /// All products of all events, as the source reads them.
  std::vector<std::vector<std::byte>> read_all() const {
    std::remove(Index::path_of(path_).c_str());
    const auto source = standard_components().source("PDS=" + path_);
    const auto cursor = source->cursor();
    std::vector<std::vector<std::byte>> all;
    for (std::uint64_t entry = 0; cursor->go_to(entry); ++entry) {
      cursor->prepare();
      for (std::size_t p = 0; p < source->products().size(); ++p) {
        cursor->fetch(p);
        const Bytes bytes = cursor->serialized(p);
        all.emplace_back(bytes.begin(), bytes.end());
      }
    }
    return all;
  }

  test::TemporaryDirectory folder_;
  std::string path_ = folder_ / "a.pds";
};

TEST_P(PdsFormatTest, IsReadAsItWasWritten) {
  std::vector<std::vector<std::byte>> kept;
  write(sample_file(GetParam(), kept));
  EXPECT_EQ(read_header(ByteFile::open(path_)).products, kList);
  EXPECT_EQ(read_all(), kept);
}

TEST_P(PdsFormatTest, ATruncatedFileHasItsCompleteEventsOrIsAnError) {
  std::vector<std::vector<std::byte>> kept;
  const auto whole = sample_file(GetParam(), kept);
  const std::size_t header = encode_header(kList, GetParam()).size();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    if (size < header) {
      EXPECT_THROW(read_all(), Error) << size;
      continue;
    }
    const auto found = read_all();
    ASSERT_LT(found.size(), kept.size()) << size;
    ASSERT_TRUE(std::equal(found.begin(), found.end(), kept.begin())) << size;
  }
}

/// What is damaged is an error that names the file, or other values; nothing reads out of bounds.
TEST_P(PdsFormatTest, AnyByteMayBeWrong) {
  std::vector<std::vector<std::byte>> kept;
  const auto whole = sample_file(GetParam(), kept);
  std::size_t errors = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto damaged = whole;
    damaged[at] ^= static_cast<std::byte>(at % 2 == 0 ? 0x81U : 0xffU);
    write(damaged);
    try {
      read_all();
    } catch (const Error& error) {
      ++errors;
      ASSERT_NE(std::string(error.what()).find(path_), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(errors, whole.size() / 4);
}

INSTANTIATE_TEST_SUITE_P(Codecs, PdsFormatTest,
                         ::testing::Values(Codec::none, Codec::lz4, Codec::zstd),
                         [](const auto& codec) { return std::string(name_of(codec.param)); });

TEST(PdsPayloadTest, ProductsStayWithinThePayload) {
  const auto words = [](std::initializer_list<std::uint32_t> all) {
    std::vector<std::byte> bytes(all.size() * 4);
    std::size_t at = 0;
    for (const std::uint32_t word : all) std::memcpy(bytes.data() + 4 * at++, &word, 4);
    return bytes;
  };
  std::vector<Bytes> products(2);
  const auto split = [&](std::initializer_list<std::uint32_t> all) -> std::string {
    const auto bytes = words(all);
    try {
      split_payload(bytes, products, "here");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(split({}), "");
  EXPECT_EQ(split({1, 1, 7, 0, 0}), "");
  EXPECT_EQ(products[1].size(), 4U);
  EXPECT_TRUE(products[0].empty());
  EXPECT_EQ(split({0}), "here: the payload ends within a product");
  EXPECT_EQ(split({2, 0}), "here: product 2 of 2");
  EXPECT_EQ(split({0, 0, 0, 0}), "here: product 0 is there twice");
  EXPECT_EQ(split({0, 2, 7}), "here: product 0: 8 bytes, 4 are left");
  EXPECT_EQ(split({0, 0xffffffff, 7}), "here: product 0: 17179869180 bytes, 4 are left");
}

}  // namespace
}  // namespace onecast::events::pds
