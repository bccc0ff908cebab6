#include "base/sieve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace onecast {
namespace {

/// A file in memory that counts the calls.
struct Bytes {
  std::vector<std::byte> bytes = std::vector<std::byte>(4 << 20U, std::byte{9});
  int reads = 0;
  int writes = 0;

  auto reader() {
    return [this](std::uint64_t at, std::span<std::byte> out) {
      ++reads;
      std::copy_n(bytes.data() + at, out.size(), out.data());
    };
  }
  auto writer() {
    return [this](std::uint64_t at, std::span<const std::byte> in) {
      ++writes;
      std::ranges::copy(in, bytes.data() + at);
    };
  }
};

/// Writes `count` pieces of `size` bytes, `gap` apart, from memory that changes after each.
void write_pieces(Bytes& file, bool alone, std::size_t count, std::size_t size, std::size_t gap) {
  WriteSieve sieve(alone, file.reader(), file.writer());
  std::vector<std::byte> piece(size);
  for (std::size_t i = 0; i < count; ++i) {
    std::ranges::fill(piece, std::byte(i % 7));
    sieve.add_copy(i * (size + gap), piece);
  }
  sieve.finish();
  Bytes expected;
  for (std::size_t i = 0; i < count; ++i)
    std::fill_n(expected.bytes.begin() + static_cast<std::ptrdiff_t>(i * (size + gap)), size,
                std::byte(i % 7));
  EXPECT_EQ(file.bytes, expected.bytes);
}

TEST(WriteSieveTest, CopiesThatTouchAreOneWrite) {
  for (const bool alone : {true, false}) {
    Bytes file;
    write_pieces(file, alone, 1000, 1000, 0);
    EXPECT_EQ(file.writes, 1);
    EXPECT_EQ(file.reads, 0);
  }
}

TEST(WriteSieveTest, OnlyOneProcessWritesOverGaps) {
  Bytes alone;
  write_pieces(alone, true, 10, 1000, 4000);
  EXPECT_EQ(alone.writes, 1);
  EXPECT_EQ(alone.reads, 1);
  Bytes among_others;
  write_pieces(among_others, false, 10, 1000, 4000);
  EXPECT_EQ(among_others.writes, 10);
  EXPECT_EQ(among_others.reads, 0);
}

TEST(WriteSieveTest, LargeCopiesAreWrittenAtOnce) {
  Bytes file;
  write_pieces(file, true, 4, 256 << 10U, 0);
  EXPECT_EQ(file.writes, 4);
}

TEST(WriteSieveTest, RandomCopiesInAnyOrder) {
  std::mt19937 random(1);
  for (int turn = 0; turn < 50; ++turn) {
    Bytes file;
    Bytes expected;
    WriteSieve sieve(turn % 2 == 0, file.reader(), file.writer());
    for (std::size_t i = 0; i < 200; ++i) {
      const std::size_t size = random() % 9000;
      const std::size_t at = i % 10 == 0 ? random() % (1U << 20U) : (1U << 20U) + 9000 * i;
      const std::vector<std::byte> piece(size, std::byte(i));
      sieve.add_copy(at, piece);
      std::ranges::copy(piece, expected.bytes.begin() + static_cast<std::ptrdiff_t>(at));
    }
    sieve.finish();
    EXPECT_EQ(file.bytes, expected.bytes);
  }
}

}  // namespace
}  // namespace onecast
