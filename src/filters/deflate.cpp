#include <fmt/format.h>
#include <libdeflate.h>

#include <memory>
#include <new>

#include "filters/filter.hpp"

namespace onecast {
namespace {

struct Free {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, Free>;

/// One per thread: it is 10 KiB of tables, reused for every chunk.
libdeflate_decompressor* decompressor() {
  static thread_local Decompressor mine(libdeflate_alloc_decompressor());
  if (!mine) mine.reset(libdeflate_alloc_decompressor());
  if (!mine) throw std::bad_alloc();
  return mine.get();
}

/// Deflate's longest match, 258 bytes, takes at least two bits: no stream yields more per byte.
constexpr std::size_t kMaxRatio = 258 * 8 / 2;

}  // namespace

ByteView decode_deflate(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  const std::span<std::byte> out = workspace.result(job.limit(filtered.size(), kMaxRatio));
  std::size_t size = 0;
  switch (libdeflate_zlib_decompress(decompressor(), filtered.data(), filtered.size(), out.data(),
                                     out.size(), &size)) {
    case LIBDEFLATE_SUCCESS:
      return out.first(size);
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      job.fail(fmt::format("inflates to more than the {} bytes that are possible", out.size()));
    default:
      job.fail("not a valid zlib stream");
  }
}

}  // namespace onecast
