#include <fmt/format.h>

#include <memory>
#include <new>

#include "base/per_thread.hpp"
#include "filters/own_filter.hpp"

#ifdef ONECAST_HAVE_DEFLATE
#include <libdeflate.h>
#endif

namespace onecast::filters {
namespace {

constexpr FilterParameter kLevel{"level", 0, 6, 0, 9};
constexpr FilterParameter kParameters[] = {kLevel};

#ifdef ONECAST_HAVE_DEFLATE
struct Free {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, Free>;

/// One per thread: its 10 KiB of tables are reused for every chunk.
libdeflate_decompressor* decompressor() {
  auto& mine = per_thread<Decompressor>();
  if (!mine) mine.reset(libdeflate_alloc_decompressor());
  if (!mine) throw std::bad_alloc();
  return mine.get();
}

/// One per thread as well, for the level that was requested last.
libdeflate_compressor* compressor(std::uint32_t level) {
  struct Compressor {
    std::unique_ptr<libdeflate_compressor, Free> made;
    std::uint32_t level = 0;
  };
  auto& [mine, level_of_mine] = per_thread<Compressor>();
  if (!mine || level_of_mine != level) {
    mine.reset();  // first, so that both are never held at once
    mine.reset(libdeflate_alloc_compressor(static_cast<int>(level)));
    level_of_mine = level;
  }
  if (!mine) throw std::bad_alloc();
  return mine.get();
}

/// Deflate's longest match, 258 bytes, takes at least two bits: no stream yields more per byte.
constexpr std::size_t kMaxRatio = 258 * 8 / 2;

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

/// Like the HDF5 library, returns the result even if it is larger.
std::optional<ByteView> encode_deflate(const FilterJob& job, ByteView plain, Workspace& workspace) {
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  if (values.size() != 1 || values[0] > kLevel.most)
    job.fail("client data: expected one value, the level, 0 to 9");
  libdeflate_compressor* c = compressor(values[0]);
  const std::span<std::byte> out =
      workspace.result(libdeflate_zlib_compress_bound(c, plain.size()));
  const std::size_t size =
      libdeflate_zlib_compress(c, plain.data(), plain.size(), out.data(), out.size());
  if (size == 0) job.fail("libdeflate failed");
  return out.first(size);
}
#endif

ClientData client_data(const FilterSetup& setup) {
  setup.expect_at_most(1);
  return {setup.value(kLevel)};
}

}  // namespace

constinit const OwnFilter kDeflateFilter{.id = 1,
                                         .name = "deflate",
                                         .h5py_name = "gzip",
                                         .parameters = kParameters,
                                         .library = "libdeflate",
#ifdef ONECAST_HAVE_DEFLATE
                                         .decode = decode_deflate,
                                         .encode = encode_deflate,
#endif
                                         .client_data = client_data};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::deflate(std::uint32_t level) { return kDeflateFilter.with({level}); }

}  // namespace onecast
