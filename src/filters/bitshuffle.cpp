#include <algorithm>

#include "filters/big_endian.hpp"
#include "filters/bit_planes.hpp"
#include "filters/filter.hpp"
#include "filters/lz4.hpp"
#include "filters/zstd.hpp"

namespace onecast {
namespace {

enum class Compression : std::uint32_t { none = 0, lz4 = 2, zstd = 3 };

struct Parameters {
  std::size_t width;         ///< bytes of an element
  std::uint64_t block_size;  ///< in elements; 0: the default
  Compression compression;
};

/// Two values for the version of the writer, then these.
Parameters parameters(const FilterJob& job) {
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  if (values.size() < 3 || values[2] == 0)
    job.fail("client data: expected three values or more, the third the size of an element");
  const std::uint32_t compression = values.size() > 4 ? values[4] : 0;
  if (compression != 0 && compression != 2 && compression != 3)
    job.fail("client data: a compression other than none, lz4 and zstd");
  return {values[2], values.size() > 3 ? values[3] : 0, static_cast<Compression>(compression)};
}

/// Elements of a block where the file does not tell: 8 KiB, in groups of 8 elements.
std::uint64_t default_block_size(std::size_t width) {
  return std::max<std::uint64_t>(8192 / width / 8 * 8, 128);
}

/// Blocks of elements, each bit-shuffled and then compressed by itself.
class Blocks {
 public:
  Blocks(const FilterJob& job, BigEndianReader& in, const Parameters& p, Workspace& workspace)
      : job_(job), in_(in), p_(p), workspace_(workspace) {
    if (p_.block_size == 0) p_.block_size = default_block_size(p_.width);
    if (p_.block_size % 8 != 0) job.fail("a block that is no multiple of 8 elements");
  }

  ByteView decode(std::size_t size) {
    if (size % p_.width != 0) job_.fail("a part of an element");
    const std::size_t count = size / p_.width;
    const auto block = static_cast<std::size_t>(std::min<std::uint64_t>(p_.block_size, count));
    const std::size_t block_bytes = block * p_.width;
    const std::span<std::byte> out = workspace_.result(size);
    const std::span<std::byte> temporary = workspace_.temporary(2 * block_bytes);
    unpacked_ = temporary.first(block_bytes);
    joined_ = temporary.last(block_bytes);

    std::span<std::byte> rest = out;
    // The last elements, fewer than 8, lie as they were.
    for (std::size_t left = count / 8 * 8; left != 0;) {
      const std::size_t n = std::min(block, left) / 8 * 8;
      join_bit_planes(block_of(n * p_.width).data(), rest.data(), joined_.data(), n, p_.width);
      rest = rest.subspan(n * p_.width);
      left -= n;
    }
    const ByteView last = in_.take(rest.size());
    std::copy(last.begin(), last.end(), rest.begin());
    return out;
  }

 private:
  /// The next block, uncompressed.
  ByteView block_of(std::size_t size) {
    if (p_.compression == Compression::none) return in_.take(size);
    const ByteView stored = in_.take(in_.uint(4));
    const std::span<std::byte> unpacked = unpacked_.first(size);
    if (p_.compression == Compression::lz4)
      decompress_lz4(job_, stored, unpacked);
    else if (decompress_zstd(job_, stored, unpacked) != size)
      job_.fail("a block of the wrong size");
    return unpacked;
  }

  const FilterJob& job_;
  BigEndianReader& in_;
  Parameters p_;
  Workspace& workspace_;
  std::span<std::byte> unpacked_;
  std::span<std::byte> joined_;
};

}  // namespace

ByteView decode_bitshuffle(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  Parameters p = parameters(job);
  BigEndianReader in(job, filtered);
  std::uint64_t size = filtered.size();
  if (p.compression != Compression::none) {
    // The head: size of the data and of a block in bytes.
    size = in.uint(8);
    p.block_size = in.uint(4) / p.width;
  }
  return Blocks(job, in, p, workspace).decode(job.claimed_size(size));
}

}  // namespace onecast
