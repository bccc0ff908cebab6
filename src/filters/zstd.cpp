#include "filters/zstd.hpp"

#include <zstd.h>

#include <memory>
#include <new>

#include "filters/filter.hpp"

namespace onecast {
namespace {

struct Free {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// One per thread, reused for every chunk.
ZSTD_DCtx* context() {
  static thread_local std::unique_ptr<ZSTD_DCtx, Free> mine(ZSTD_createDCtx());
  if (!mine) mine.reset(ZSTD_createDCtx());
  if (!mine) throw std::bad_alloc();
  return mine.get();
}

/// A block of 128 KiB of one byte takes 4.
constexpr std::size_t kMaxRatio = (std::size_t{128} << 10U) / 4;

}  // namespace

std::size_t decompress_zstd(const FilterJob& job, ByteView in, std::span<std::byte> out) {
  const std::size_t size =
      ZSTD_decompressDCtx(context(), out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(size) != 0) job.fail(ZSTD_getErrorName(size));
  return size;
}

ByteView decode_zstd(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  const std::span<std::byte> out = workspace.result(job.limit(filtered.size(), kMaxRatio));
  return out.first(decompress_zstd(job, filtered, out));
}

}  // namespace onecast
