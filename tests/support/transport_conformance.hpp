#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "support/pattern.hpp"
#include "support/temporary_directory.hpp"
#include "support/thrown_by.hpp"
#include "transport/factory.hpp"

// Tests that every transport must pass. Include this file in one source of a test program and
// instantiate the tests there:
// INSTANTIATE_TEST_SUITE_P(, TransportConformance, testing::Values(TransportCase{...}), name_of);

namespace onecast::test {

using namespace transport;

struct TransportCase {
  std::string name;
  std::function<TransportFactory()> factory;
  bool is_object = false;  ///< a single object of the user, which always exists
};

inline void PrintTo(const TransportCase& transport, std::ostream* out) { *out << transport.name; }

/// Names the tests of a case; the last argument of INSTANTIATE_TEST_SUITE_P.
inline std::string name_of(const testing::TestParamInfo<TransportCase>& info) {
  return info.param.name;
}

class TransportConformance : public testing::TestWithParam<TransportCase> {
 protected:
  /// Opens a transport, and touches the file, so that a lazy transport opens it.
  std::unique_ptr<Transport> open(OpenMode mode) {
    auto transport = factory_(path_, mode);
    transport->size();
    return transport;
  }
  static std::vector<std::byte> read(Transport& from, std::uint64_t offset, std::size_t size) {
    std::vector<std::byte> bytes(size, std::byte{0xEE});
    bytes.resize(from.read_at(offset, bytes));
    return bytes;
  }

  TemporaryDirectory directory_;
  std::string path_ = directory_ / "file";
  TransportFactory factory_ = GetParam().factory();
};

TEST_P(TransportConformance, ReadsWhatWasWritten) {
  const auto file = open(OpenMode::create);
  EXPECT_EQ(file->size(), 0U);
  file->write_at(0, pattern(1000));
  EXPECT_EQ(file->size(), 1000U);
  EXPECT_EQ(read(*file, 0, 1000), pattern(1000));
  file->write_at(10, pattern(5, 99));
  auto expected = pattern(1000);
  std::copy_n(pattern(5, 99).begin(), 5, expected.begin() + 10);
  EXPECT_EQ(read(*file, 0, 1000), expected);
  file->sync();
}

TEST_P(TransportConformance, WritesPartsAsOne) {
  const auto file = open(OpenMode::create);
  const auto bytes = pattern(5000);
  std::vector<std::span<const std::byte>> parts;
  // The list has more parts than a system call takes.
  for (std::size_t at = 0; at < bytes.size(); at += at % 3)
    parts.push_back(std::span(bytes).subspan(at++, 1));
  file->write_parts_at(7, parts);
  file->write_parts_at(6000, {});
  EXPECT_EQ(file->size(), 7 + parts.size());
  std::vector<std::byte> expected;
  for (const auto part : parts) expected.insert(expected.end(), part.begin(), part.end());
  EXPECT_EQ(read(*file, 7, expected.size()), expected);
}

TEST_P(TransportConformance, KeepsBytesBetweenOpenings) {
  open(OpenMode::create)->write_at(0, pattern(100));
  EXPECT_EQ(read(*open(OpenMode::read_only), 0, 100), pattern(100));
  open(OpenMode::read_write)->write_at(100, pattern(1));
  EXPECT_EQ(open(OpenMode::read_only)->size(), 101U);
}

TEST_P(TransportConformance, MakesTemporaryFiles) {
  const auto one = open(OpenMode::temporary);
  const auto other = open(OpenMode::temporary);
  one->reserve(0, 2000);
  one->write_at(1000, pattern(1000));
  other->write_at(0, pattern(10, 7));
  EXPECT_EQ(read(*one, 1000, 1000), pattern(1000));
  EXPECT_EQ(read(*other, 0, 20), pattern(10, 7));
  one->reserve(1500, 100);
  EXPECT_EQ(read(*one, 1000, 1000), pattern(1000));
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_P(TransportConformance, GivesSpaceBack) {
  const auto file = open(OpenMode::create);
  const auto bytes = pattern(100'000);
  file->write_at(0, bytes);
  file->give_back(10'000, 80'000);
  file->give_back(200'000, 10);
  file->give_back(~std::uint64_t{0}, 10);
  file->give_back(0, 0);
  EXPECT_EQ(file->size(), bytes.size());
  EXPECT_EQ(read(*file, 0, 10'000), pattern(10'000));
  const std::vector<std::byte> end(bytes.begin() + 90'000, bytes.end());
  EXPECT_EQ(read(*file, 90'000, 10'000), end);
  const auto given = read(*file, 10'000, 80'000);
  EXPECT_TRUE(given == std::vector<std::byte>(80'000) ||
              std::equal(given.begin(), given.end(), bytes.begin() + 10'000));
  file->write_at(10'000, std::span(bytes).subspan(10'000, 80'000));
  EXPECT_EQ(read(*file, 0, bytes.size()), bytes);
  EXPECT_FALSE(file->take_lack_of_room());
}

TEST_P(TransportConformance, ReadsLessAtTheEndOnly) {
  const auto file = open(OpenMode::create);
  file->write_at(0, pattern(10));
  EXPECT_EQ(read(*file, 4, 100).size(), 6U);
  EXPECT_EQ(read(*file, 10, 1).size(), 0U);
  EXPECT_EQ(read(*file, 1U << 30U, 8).size(), 0U);
  constexpr auto kFar = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (const std::uint64_t offset : {kFar - 1, kFar, kFar + 1, ~std::uint64_t{0}})
    EXPECT_EQ(read(*file, offset, 8).size(), 0U) << offset;
}

TEST_P(TransportConformance, FillsAGapWithZeros) {
  const auto file = open(OpenMode::create);
  file->write_at(5000, pattern(3));
  EXPECT_EQ(file->size(), 5003U);
  EXPECT_EQ(read(*file, 0, 5000), std::vector<std::byte>(5000));
}

TEST_P(TransportConformance, NoBytesChangeNothing) {
  const auto file = open(OpenMode::create);
  file->write_at(100, {});
  EXPECT_EQ(file->size(), 0U);
  EXPECT_EQ(file->read_at(0, {}), 0U);
}

TEST_P(TransportConformance, RefusesToWriteBeyondTheLargestOffset) {
  const auto file = open(OpenMode::create);
  const Error error = thrown_by([&] { file->write_at(~std::uint64_t{0} - 2, pattern(8)); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_EQ(error.system_errno(), EFBIG);
  EXPECT_EQ(file->size(), 0U);
}

TEST_P(TransportConformance, RefusesToWriteWhatIsOpenForReading) {
  open(OpenMode::create);
  const auto file = open(OpenMode::read_only);
  const Error error = thrown_by([&] { file->write_at(3, pattern(8)); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_NE(std::string(error.what()).find(path_ + ": write of 8 bytes at offset 3"),
            std::string::npos)
      << error.what();
}

TEST_P(TransportConformance, DoesNotFindAFileThatIsNotThere) {
  if (GetParam().is_object) GTEST_SKIP() << "it is there";
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write}) {
    const Error error = thrown_by([&] { open(mode); });
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_EQ(error.system_errno(), ENOENT);
    EXPECT_EQ(std::string(error.what()).rfind(path_, 0), 0U) << error.what();
  }
}

TEST_P(TransportConformance, CreatesOnlyANewFile) {
  open(OpenMode::create)->write_at(0, pattern(4));
  const Error error = thrown_by([&] { open(OpenMode::create); });
  EXPECT_EQ(error.code(), ErrorCode::already_exists);
  EXPECT_EQ(error.system_errno(), EEXIST);
  EXPECT_EQ(open(OpenMode::read_only)->size(), 4U);
}

TEST_P(TransportConformance, ReplacesByANewFile) {
  open(OpenMode::create)->write_at(0, pattern(4));
  const auto old = open(OpenMode::read_only);
  open(OpenMode::replace);
  EXPECT_EQ(open(OpenMode::read_only)->size(), 4U) << "it never took the place";
  const auto made = open(OpenMode::replace);
  made->take_place();
  EXPECT_EQ(made->size(), 0U);
  made->write_at(0, pattern(2));
  EXPECT_EQ(open(OpenMode::read_only)->size(), 2U);
  if (!GetParam().is_object) {  // there is only one such object
    EXPECT_EQ(read(*old, 0, 4), pattern(4)) << "who has the old file open keeps it";
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TransportConformance);

}  // namespace onecast::test
