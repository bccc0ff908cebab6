#include <gtest/gtest.h>

#include <array>
#include <type_traits>

#include "base/byte_writer.hpp"
#include "structures/memory_file.hpp"
#include "structures/object_header.hpp"
#include "structures/overlap_guard.hpp"
#include "support/thrown_by.hpp"

/// Structures that share bytes would be read, and take memory, many times.
namespace onecast::test {

using namespace structures;
namespace {

constexpr std::size_t kPrefix = 16;
constexpr std::size_t kContinuation = 8 + 16;

/// Returns a version 1 header at address 0 with continuation blocks of these addresses and lengths.
std::vector<std::byte> header_with(const std::vector<std::array<std::uint64_t, 2>>& blocks) {
  std::vector<std::byte> file(1024);
  ByteWriter out(file);
  out.uint(1, 1);  // the version
  out.zeros(1);
  out.uint(blocks.size(), 2);
  out.uint(1, 4);  // the reference count
  out.uint(blocks.size() * kContinuation, 4);
  out.zeros(4);
  for (const auto& [address, length] : blocks) {
    out.uint(static_cast<std::uint64_t>(MessageType::continuation), 2);
    out.uint(16, 2);
    out.zeros(4);
    out.uint(address, 8);
    out.uint(length, 8);
  }
  return file;
}

TEST(Continuations, ApartAreRead) {
  MemoryFile file(header_with({{512, 64}, {576, 64}}));
  EXPECT_EQ(read_object_header(file, Address{0}).continuations.size(), 2U);
}

TEST(Continuations, ThatOverlapAreRefused) {
  for (const auto& second :
       {std::array<std::uint64_t, 2>{520, 64}, {448, 128}, {512, 64}, {8, 64}}) {
    MemoryFile file(header_with({{512, 64}, second}));
    EXPECT_EQ(thrown_by([&] { read_object_header(file, Address{0}); }).code(), ErrorCode::format);
  }
}

static_assert(!std::is_constructible_v<OverlapGuard, MetadataSource&, std::uint64_t>,
              "a guard would keep a reference to a size that is gone");

TEST(OverlapGuard, CountsWhatIsLookedAt) {
  MemoryFile file(std::vector<std::byte>(1 << 20U));
  std::uint64_t size = 1 << 20U;
  OverlapGuard guard(file, size);
  // The guard allows eight times the size of the file, and one MiB more.
  for (int i = 0; i < 9; ++i) EXPECT_EQ(guard.view(Address{0}, size, "Block").size(), size);
  EXPECT_EQ(thrown_by([&] { guard.view(Address{0}, 1, "Block"); }).code(), ErrorCode::format);
  EXPECT_EQ(thrown_by([&] { guard.view(Address{1}, size, "Block"); }).code(), ErrorCode::format);
  size *= 2;
  EXPECT_EQ(guard.view(Address{0}, 1, "Block").size(), 1U);
}

}  // namespace
}  // namespace onecast::test
