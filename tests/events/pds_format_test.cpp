#include "pds/pds_format.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
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

/// Returns a file with some events in this compression.
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
  /// Reads all products of all events through the source.
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

/// Damage leads to an error that names the file, or to other values; no read is out of bounds.
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

/// An index of several pieces, kept in FILE.index or in memory.
class PdsIndexTest : public ::testing::TestWithParam<bool> {
 protected:
  static constexpr std::uint32_t kEvents = 1200;

  void SetUp() override {
    if (!GetParam()) write(Index::path_of(path_), "notes");  // these bytes stay
  }
  static void write(const std::string& path, const std::string& bytes) {
    ByteFile file = ByteFile::create(path);
    const Bytes all = std::as_bytes(std::span(bytes));
    file.append({&all, 1});
    file.close();
  }
  static std::string bytes_in(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Writes events of different sizes. @return the bytes of the file
  template <class EventOf>
  std::string write_events(EventOf&& event_of) const {
    std::vector<std::byte> file = encode_header({"root", {{"a", "A"}}}, Codec::none);
    for (std::uint32_t i = 0; i < kEvents; ++i) {
      const std::vector<std::byte> product(4 * (i % 7) + (i % 100 == 0 ? 8000 : 0));
      const auto record = encode_record({1, 2, event_of(i)}, {product}, {});
      file.insert(file.end(), record.begin(), record.end());
    }
    std::string bytes(reinterpret_cast<const char*>(file.data()), file.size());
    write(path_, bytes);
    return bytes;
  }
  /// Reads all events, and finds all of them and no others.
  template <class EventOf>
  void expect_events(EventOf&& event_of) const {
    const auto source = standard_components().source("PDS=" + path_);
    ASSERT_EQ(source->size(), kEvents);
    std::map<std::uint64_t, std::uint64_t> first;
    for (std::uint32_t i = 0; i < kEvents; ++i) first.emplace(event_of(i), i);
    for (std::uint64_t event = 0; event < 3ULL * kEvents; ++event) {
      const auto wanted = first.find(event);
      ASSERT_EQ(source->find({1, 2, event}), wanted == first.end()
                                                 ? std::nullopt
                                                 : std::optional<std::uint64_t>(wanted->second));
    }
    const auto cursor = source->cursor();
    for (std::uint32_t k = 0; k < kEvents; ++k)
      for (const std::uint32_t i : {k, kEvents - 1 - k}) {
        ASSERT_TRUE(cursor->go_to(i));
        ASSERT_EQ(cursor->identity(), (Identity{1, 2, event_of(i)}));
        cursor->prepare();
        ASSERT_EQ(cursor->fetch(0), 4 * (i % 7) + (i % 100 == 0 ? 8000 : 0));
      }
    ASSERT_FALSE(cursor->go_to(kEvents));
  }

  test::TemporaryDirectory folder_;
  std::string path_ = folder_ / "a.pds";
};

TEST_P(PdsIndexTest, LeadsToEachEvent) {
  const auto ascending = [](std::uint32_t i) { return std::uint64_t{2} * i + 1; };
  const auto in_pairs = [](std::uint32_t i) { return std::uint64_t{i} / 2 * 2; };
  const auto mixed = [](std::uint32_t i) { return std::uint64_t{i} * 7919 % 1900; };
  for (int opened = 0; opened < 2; ++opened) {
    write_events(ascending);
    expect_events(ascending);
    write_events(in_pairs);
    expect_events(in_pairs);
    write_events(mixed);
    expect_events(mixed);
  }
  if (!GetParam()) {
    EXPECT_EQ(bytes_in(Index::path_of(path_)), "notes");
  }
}

INSTANTIATE_TEST_SUITE_P(Places, PdsIndexTest, ::testing::Bool(), [](const auto& in_file) {
  return std::string(in_file.param ? "InAFile" : "InMemory");
});

using PdsIndexFileTest = PdsIndexTest;

TEST_P(PdsIndexFileTest, AnyNumberOfAnIndexMayBeWrong) {
  const auto event_of = [](std::uint32_t i) { return std::uint64_t{2} * i; };
  write_events(event_of);
  const std::string index = Index::path_of(path_);
  expect_events(event_of);
  const std::string whole = bytes_in(index);
  std::vector<std::size_t> places;
  for (std::size_t at = 8; at < whole.size(); at += 3284) places.push_back(at);
  for (std::size_t back = 40; back != 0; back -= 4) places.push_back(whole.size() - back);
  for (const std::size_t at : places) {
    for (const char value : {'\1', '\x80'}) {
      std::string damaged = whole;
      damaged[at + static_cast<std::size_t>(value == '\x80') * 3] ^= value;
      write(index, damaged);
      expect_events(event_of);
      ASSERT_EQ(bytes_in(index), whole) << at;
    }
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, whole.size() - 32}) {
    write(index, whole.substr(0, size));
    expect_events(event_of);
    ASSERT_EQ(bytes_in(index), whole) << size;
  }
}

/// The index does not fit a file of equal size that replaced the first one.
TEST_P(PdsIndexFileTest, IsMadeAnewForOtherEvents) {
  const std::string index = Index::path_of(path_);
  for (std::uint32_t other = 0; other < kEvents; other += 97) {
    const auto event_of = [&](std::uint32_t i) {
      return std::uint64_t{2} * i + (i == other ? 1 : 0);
    };
    write_events(event_of);
    expect_events(event_of);
  }
}

TEST_P(PdsIndexFileTest, DoesNotHideDamage) {
  const auto event_of = [](std::uint32_t i) { return std::uint64_t{i}; };
  std::string bytes = write_events(event_of);
  expect_events(event_of);
  bytes[encode_header({"root", {{"a", "A"}}}, Codec::none).size() + 8040] ^= '\1';
  write(path_, bytes);
  const auto source = standard_components().source("PDS=" + path_);
  const auto cursor = source->cursor();
  EXPECT_TRUE(cursor->go_to(0));
  EXPECT_THROW(cursor->go_to(1), Error);
  EXPECT_THROW(cursor->go_to(2), Error);
  EXPECT_TRUE(cursor->go_to(0));
  EXPECT_THROW(static_cast<void>(source->find({1, 2, 5})), Error);
}

INSTANTIATE_TEST_SUITE_P(Places, PdsIndexFileTest, ::testing::Values(true));

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
