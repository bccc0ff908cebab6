#include "filters/zstd.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include "base/per_thread.hpp"
#include "filters/own_filter.hpp"

#ifdef ONECAST_HAVE_ZSTD
#include <zstd.h>
#endif

namespace onecast::filters {
namespace {

/// Negative levels, as the plugin stores them, are faster still.
constexpr FilterParameter kLevel{"level", 0, 3, -(1 << 17), 22};
constexpr FilterParameter kParameters[] = {kLevel};

}  // namespace

#ifdef ONECAST_HAVE_ZSTD

namespace {

struct Free {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

/// One per thread and direction, reused for every chunk.
template <class Context>
Context* context(Context* (*create)()) {
  auto& mine = per_thread<std::unique_ptr<Context, Free>>();
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

std::size_t zstd_bound(std::size_t size) { return ZSTD_compressBound(size); }

std::size_t compress_zstd(const FilterJob& job, int level, ByteView in, std::span<std::byte> out) {
  const std::size_t size =
      ZSTD_compressCCtx(context<ZSTD_CCtx>(ZSTD_createCCtx), out.data(), out.size(), in.data(),
                        in.size(), std::clamp(level, ZSTD_minCLevel(), ZSTD_maxCLevel()));
  if (ZSTD_isError(size) != 0) job.fail(ZSTD_getErrorName(size));
  return size;
}

namespace {

ByteView decode_zstd(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  const std::span<std::byte> out = workspace.result(job.limit(filtered.size(), kMaxRatio));
  return out.first(decompress_zstd(job, filtered, out));
}

std::optional<ByteView> encode_zstd(const FilterJob& job, ByteView plain, Workspace& workspace) {
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  const int level =
      values.empty() ? static_cast<int>(kLevel.otherwise) : static_cast<int>(values[0]);
  const std::span<std::byte> out = workspace.result(zstd_bound(plain.size()));
  return out.first(compress_zstd(job, level, plain, out));
}

}  // namespace

#else

std::size_t decompress_zstd(const FilterJob& job, ByteView /*in*/, std::span<std::byte> /*out*/) {
  job.fail("Onecast was built without libzstd");
}
std::size_t zstd_bound(std::size_t size) { return size; }
std::size_t compress_zstd(const FilterJob& job, int /*level*/, ByteView /*in*/,
                          std::span<std::byte> /*out*/) {
  job.fail("Onecast was built without libzstd");
}

#endif

namespace {

ClientData client_data(const FilterSetup& setup) {
  setup.expect_at_most(1);
  return {setup.value(kLevel)};
}

}  // namespace

constinit const OwnFilter kZstdFilter{.id = 32015,
                                      .name = "zstd",
                                      .parameters = kParameters,
                                      .library = "libzstd",
#ifdef ONECAST_HAVE_ZSTD
                                      .decode = decode_zstd,
                                      .encode = encode_zstd,
#endif
                                      .client_data = client_data};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::zstd(std::uint32_t level) { return kZstdFilter.with({level}); }

}  // namespace onecast
