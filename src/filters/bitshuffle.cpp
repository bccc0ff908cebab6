#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "filters/big_endian.hpp"
#include "filters/bit_planes.hpp"
#include "filters/lz4.hpp"
#include "filters/own_filter.hpp"
#include "filters/zstd.hpp"

namespace onecast::filters {
namespace {

enum class Compression : std::uint32_t { none = 0, lz4 = 2, zstd = 3 };

constexpr FilterParameter kBlock{"block_elements", 0, 0, 0,
                                 std::numeric_limits<std::int32_t>::max()};
constexpr FilterParameter kCodec{"codec", 1, 0, 0, 3};
/// The zstd level, within the limits of that filter.
constexpr FilterParameter kLevel{"level", 2, 3, -(1 << 17), 22};
constexpr FilterParameter kParameters[] = {kBlock, kCodec, kLevel};

struct Parameters {
  std::size_t width;         ///< the size of an element
  std::uint64_t block_size;  ///< in elements; 0: the default
  Compression compression;
  int level;  ///< for zstd; 0: its default
};

/// The client data are two values for the version of the writer, then these parameters.
Parameters parameters(const FilterJob& job) {
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  if (values.size() < 3 || values[2] == 0)
    job.fail("client data: expected three values or more, the third the size of an element");
  const std::uint32_t compression = values.size() > 4 ? values[4] : 0;
  if (compression != 0 && compression != 2 && compression != 3)
    job.fail("client data: a compression other than none, lz4 and zstd");
  return {values[2], values.size() > 3 ? values[3] : 0, static_cast<Compression>(compression),
          static_cast<int>(values.size() > 5 ? values[5] : 0)};
}

/// The elements of a block if the file does not tell: 8 KiB, in groups of 8 elements.
std::uint64_t default_block_size(std::size_t width) {
  return std::max<std::uint64_t>(8192 / width / 8 * 8, 128);
}

/// Decodes blocks of elements, each bit-shuffled and then compressed by itself.
class Blocks {
 public:
  Blocks(const FilterJob& job, BigEndianReader& in, const Parameters& p, Workspace& workspace)
      : job_(job), in_(in), p_(p), workspace_(workspace) {
    if (p_.block_size == 0) p_.block_size = default_block_size(p_.width);
    if (p_.block_size % 8 != 0) job.fail("a block that is not a multiple of 8 elements");
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
    // The last elements, fewer than 8, are stored unchanged.
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
  /// Returns the next block, uncompressed.
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

/// Encodes the blocks that Blocks decodes.
class BlockWriter {
 public:
  BlockWriter(const FilterJob& job, const Parameters& p, ByteView plain, Workspace& workspace)
      : job_(job),
        p_(p),
        plain_(plain),
        grouped_(plain.size() / p.width / 8 * 8),
        block_(static_cast<std::size_t>(std::min<std::uint64_t>(p.block_size, grouped_))),
        all_(workspace.result(bound())),
        out_(all_) {
    const std::span<std::byte> temporary = workspace.temporary(2 * block_ * p.width);
    planes_ = temporary.first(block_ * p.width);
    split_ = temporary.last(block_ * p.width);
  }

  ByteView encode() {
    if (p_.compression != Compression::none) {
      out_.uint(plain_.size(), 8);
      out_.uint(p_.block_size * p_.width, 4);
    }
    ByteView rest = plain_;
    for (std::size_t left = grouped_; left != 0;) {
      const std::size_t n = std::min(block_, left);
      put_block(rest.first(n * p_.width), n);
      rest = rest.subspan(n * p_.width);
      left -= n;
    }
    out_.bytes(rest);
    return all_.first(all_.size() - out_.rest().size());
  }

 private:
  static constexpr std::size_t kLength = 4;

  [[nodiscard]] std::size_t block_bound(std::size_t size) const {
    return p_.compression == Compression::lz4 ? lz4_bound(job_, size) : zstd_bound(size);
  }

  [[nodiscard]] std::size_t bound() const {
    if (p_.compression == Compression::none) return plain_.size();
    const std::size_t blocks = block_ == 0 ? 0 : (grouped_ + block_ - 1) / block_;
    const std::size_t rest = plain_.size() - grouped_ * p_.width;
    return 12 + blocks * (kLength + block_bound(block_ * p_.width)) + rest;
  }

  void put_block(ByteView block, std::size_t count) {
    const bool plain = p_.compression == Compression::none;
    const std::span<std::byte> split = plain ? out_.rest() : split_;
    split_bit_planes(block.data(), split.data(), planes_.data(), count, p_.width);
    if (plain) return out_.skip(block.size());
    const ByteView packed = split.first(block.size());
    const std::span<std::byte> room = out_.rest().subspan(kLength, block_bound(block.size()));
    const std::size_t size = p_.compression == Compression::lz4
                                 ? compress_lz4(job_, packed, room)
                                 : compress_zstd(job_, p_.level, packed, room);
    out_.uint(size, kLength);
    out_.skip(size);
  }

  const FilterJob& job_;
  const Parameters& p_;
  ByteView plain_;
  std::size_t grouped_;  ///< the elements in whole groups of 8
  std::size_t block_;    ///< the elements of the largest block
  std::span<std::byte> all_;
  BigEndianWriter out_;
  std::span<std::byte> planes_;
  std::span<std::byte> split_;
};

ByteView decode_bitshuffle(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  Parameters p = parameters(job);
  BigEndianReader in(job, filtered);
  std::uint64_t size = filtered.size();
  if (p.compression != Compression::none) {
    // The head has the size of the data and of a block in bytes.
    size = in.uint(8);
    p.block_size = in.uint(4) / p.width;
  }
  return Blocks(job, in, p, workspace).decode(job.claimed_size(size));
}

std::optional<ByteView> encode_bitshuffle(const FilterJob& job, ByteView plain,
                                          Workspace& workspace) {
  Parameters p = parameters(job);
  if (p.block_size == 0) p.block_size = default_block_size(p.width);
  if (p.block_size % 8 != 0) job.fail("client data: a block that is not a multiple of 8 elements");
  if (p.block_size * p.width > std::numeric_limits<std::uint32_t>::max())
    job.fail("client data: a block of 4 GiB or more");
  if (plain.size() % p.width != 0) job.fail("a part of an element");
  return BlockWriter(job, p, plain, workspace).encode();
}

/// The version of the layout and the size of an element, then block, codec and level.
ClientData client_data(const FilterSetup& setup) {
  constexpr std::uint32_t kMajor = 0;
  constexpr std::uint32_t kMinor = 4;
  setup.expect_at_most(3);
  const std::uint32_t width = setup.element_bytes();
  FilterParameter block = kBlock;
  block.most /= width;
  ClientData values = {kMajor, kMinor, width, setup.value(block), setup.value(kCodec)};
  if (values[3] % 8 != 0) setup.fail("a block that is not a multiple of 8 elements");
  if (values[4] == 1) setup.fail("codec 1, which there is not");
  for (const auto& [codec, filter] :
       {std::pair{Compression::lz4, &kLz4Filter}, std::pair{Compression::zstd, &kZstdFilter}})
    if (values[4] == static_cast<std::uint32_t>(codec) && !filter->is_there())
      setup.fail(fmt::format("codec {}{}", filter->name, missing_library(filter->id)));
  if (setup.given().size() > kLevel.position) values.push_back(setup.value(kLevel));
  return values;
}

}  // namespace

constinit const OwnFilter kBitshuffleFilter{.id = 32008,
                                            .name = "bitshuffle",
                                            .parameters = kParameters,
                                            .decode = decode_bitshuffle,
                                            .encode = encode_bitshuffle,
                                            .max_filtered_size = much_more,
                                            .client_data = client_data,
                                            .asked = {.first = 3}};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::bitshuffle(BitshuffleCodec codec, std::uint32_t block_elements,
                          std::uint32_t level) {
  ClientData values = {block_elements, static_cast<std::uint32_t>(codec)};
  if (codec == BitshuffleCodec::zstd) values.push_back(level);
  return kBitshuffleFilter.with(std::move(values));
}

}  // namespace onecast
