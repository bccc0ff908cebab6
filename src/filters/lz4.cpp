#include "filters/lz4.hpp"

#include <algorithm>
#include <limits>

#include "filters/big_endian.hpp"
#include "filters/own_filter.hpp"

#ifdef ONECAST_HAVE_LZ4
#include <lz4.h>
#endif

namespace onecast::filters {
namespace {

/// LZ4_MAX_INPUT_SIZE of the library.
constexpr std::size_t kMaxBlock = 0x7E000000;
constexpr FilterParameter kBlockBytes{"block_bytes", 0, 0, 0, kMaxBlock};
constexpr FilterParameter kParameters[] = {kBlockBytes};

}  // namespace

#ifdef ONECAST_HAVE_LZ4

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

std::size_t lz4_bound(const FilterJob& job, std::size_t size) {
  if (size > kMaxBlock) job.fail("a block of almost 2 GiB or more");
  return static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(size)));
}

std::size_t compress_lz4(const FilterJob& job, ByteView block, std::span<std::byte> out) {
  const int size = LZ4_compress_default(
      reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data()),
      static_cast<int>(block.size()), static_cast<int>(out.size()));
  if (size <= 0) job.fail("LZ4 failed");
  return static_cast<std::size_t>(size);
}

namespace {

/// LZ4 encodes at most 255 bytes as one.
constexpr std::uint64_t kMaxRatio = 255;

/// The registered layout: the size of the data, the size of a block, then each block after its
/// length, all big-endian.
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
    // A block that would not become smaller is stored unchanged.
    if (stored.size() == length)
      std::copy(stored.begin(), stored.end(), rest.begin());
    else
      decompress_lz4(job, stored, rest.first(length));
    rest = rest.subspan(length);
  }
  return out;
}

std::optional<ByteView> encode_lz4(const FilterJob& job, ByteView plain, Workspace& workspace) {
  constexpr std::size_t kDefaultBlock = std::size_t{1} << 30U;
  constexpr std::size_t kLength = 4;
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  const std::size_t asked = values.empty() || values[0] == 0 ? kDefaultBlock : values[0];
  const std::size_t block = std::min(asked, plain.size());
  const std::size_t count = block == 0 ? 0 : (plain.size() + block - 1) / block;

  const std::span<std::byte> all = workspace.result(12 + count * (kLength + lz4_bound(job, block)));
  BigEndianWriter out(all);
  out.uint(plain.size(), 8);
  out.uint(block, 4);
  for (ByteView rest = plain; !rest.empty();) {
    const ByteView one = rest.first(std::min(block, rest.size()));
    const std::span<std::byte> room = out.rest().subspan(kLength);
    const std::size_t size = compress_lz4(job, one, room.first(lz4_bound(job, one.size())));
    out.uint(std::min(size, one.size()), kLength);
    if (size < one.size())
      out.skip(size);
    else
      out.bytes(one);
    rest = rest.subspan(one.size());
  }
  return all.first(all.size() - out.rest().size());
}

}  // namespace

#else

void decompress_lz4(const FilterJob& job, ByteView /*block*/, std::span<std::byte> /*out*/) {
  job.fail("Onecast was built without liblz4");
}
std::size_t lz4_bound(const FilterJob& /*job*/, std::size_t size) { return size; }
std::size_t compress_lz4(const FilterJob& job, ByteView /*block*/, std::span<std::byte> /*out*/) {
  job.fail("Onecast was built without liblz4");
}

#endif

namespace {

ClientData client_data(const FilterSetup& setup) {
  setup.expect_at_most(1);
  return {setup.value(kBlockBytes)};
}

}  // namespace

constinit const OwnFilter kLz4Filter{.id = 32004,
                                     .name = "lz4",
                                     .parameters = kParameters,
                                     .library = "liblz4",
#ifdef ONECAST_HAVE_LZ4
                                     .decode = decode_lz4,
                                     .encode = encode_lz4,
#endif
                                     .max_filtered_size = much_more,
                                     .client_data = client_data};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::lz4(std::uint32_t block_bytes) { return kLz4Filter.with({block_bytes}); }

}  // namespace onecast
