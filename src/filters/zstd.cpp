#include "filters/zstd.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>

#include "filters/filter.hpp"

namespace onecast {
namespace {

struct Free {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

/// One per thread and direction, reused for every chunk.
template <class Context>
Context* context(Context* (*create)()) {
  static thread_local std::unique_ptr<Context, Free> mine;
  if (!mine) mine.reset(create());
  if (!mine) throw std::bad_alloc();
  return mine.get();
}

/// A block of 128 KiB of one byte takes 4.
constexpr std::size_t kMaxRatio = (std::size_t{128} << 10U) / 4;

}  // namespace

std::size_t decompress_zstd(const FilterJob& job, ByteView in, std::span<std::byte> out) {
  const std::size_t size = ZSTD_decompressDCtx(context<ZSTD_DCtx>(ZSTD_createDCtx), out.data(),
                                               out.size(), in.data(), in.size());
  if (ZSTD_isError(size) != 0) job.fail(ZSTD_getErrorName(size));
  return size;
}

ByteView decode_zstd(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  const std::span<std::byte> out = workspace.result(job.limit(filtered.size(), kMaxRatio));
  return out.first(decompress_zstd(job, filtered, out));
}

std::size_t zstd_bound(std::size_t size) { return ZSTD_compressBound(size); }

std::size_t compress_zstd(const FilterJob& job, int level, ByteView in, std::span<std::byte> out) {
  const std::size_t size =
      ZSTD_compressCCtx(context<ZSTD_CCtx>(ZSTD_createCCtx), out.data(), out.size(), in.data(),
                        in.size(), std::clamp(level, ZSTD_minCLevel(), ZSTD_maxCLevel()));
  if (ZSTD_isError(size) != 0) job.fail(ZSTD_getErrorName(size));
  return size;
}

std::optional<ByteView> encode_zstd(const FilterJob& job, ByteView plain, Workspace& workspace) {
  constexpr int kDefaultLevel = 3;
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  const int level = values.empty() ? kDefaultLevel : static_cast<int>(values[0]);
  const std::span<std::byte> out = workspace.result(zstd_bound(plain.size()));
  return out.first(compress_zstd(job, level, plain, out));
}

}  // namespace onecast
