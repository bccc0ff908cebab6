#include "filters/lz4.hpp"

#include <lz4.h>

#include <algorithm>
#include <limits>

#include "filters/big_endian.hpp"

namespace onecast {
namespace {

/// LZ4 writes at best 255 bytes as one.
constexpr std::uint64_t kMaxRatio = 255;

}  // namespace

void decompress_lz4(const FilterJob& job, ByteView block, std::span<std::byte> out) {
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  const int size =
      block.size() > kMost || out.size() > kMost
          ? -1
          : LZ4_decompress_safe(reinterpret_cast<const char*>(block.data()),
                                reinterpret_cast<char*>(out.data()), static_cast<int>(block.size()),
                                static_cast<int>(out.size()));
  if (size < 0 || static_cast<std::size_t>(size) != out.size()) job.fail("not a valid lz4 block");
}

/// The registered layout: size of the data, size of a block, then each block behind its length, all
/// big-endian.
ByteView decode_lz4(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  BigEndianReader in(job, filtered);
  const std::uint64_t size = in.uint(8);
  const std::uint64_t block = in.uint(4);
  if (size != 0 && (block == 0 || size / kMaxRatio > filtered.size()))
    job.fail("the sizes in its head are not possible");
  const std::span<std::byte> out = workspace.result(job.claimed_size(size));
  for (std::span<std::byte> rest = out; !rest.empty();) {
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(block, rest.size()));
    const ByteView stored = in.take(in.uint(4));
    // A block that did not become smaller lies as it was.
    if (stored.size() == length)
      std::copy(stored.begin(), stored.end(), rest.begin());
    else
      decompress_lz4(job, stored, rest.first(length));
    rest = rest.subspan(length);
  }
  return out;
}

}  // namespace onecast
