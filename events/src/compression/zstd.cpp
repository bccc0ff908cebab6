#include <memory>

#include "compression/codec_functions.hpp"
#include "model/make_error.hpp"

#ifdef ONECAST_HAVE_ZSTD
#include <zstd.h>

namespace onecast::events {
namespace {

struct Free {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

void compress_zstd(int level, Bytes bytes, std::vector<std::byte>& out) {
  thread_local const std::unique_ptr<ZSTD_CCtx, Free> kContext(ZSTD_createCCtx());
  const std::size_t before = out.size();
  out.resize(before + ZSTD_compressBound(bytes.size()));
  const std::size_t made = ZSTD_compressCCtx(
      kContext.get(), out.data() + before, out.size() - before, bytes.data(), bytes.size(), level);
  if (ZSTD_isError(made) != 0) throw io_error("zstd: {}", ZSTD_getErrorName(made));
  out.resize(before + made);
}

bool decompress_zstd(Bytes bytes, std::span<std::byte> out) {
  thread_local const std::unique_ptr<ZSTD_DCtx, Free> kContext(ZSTD_createDCtx());
  const std::size_t made =
      ZSTD_decompressDCtx(kContext.get(), out.data(), out.size(), bytes.data(), bytes.size());
  return ZSTD_isError(made) == 0 && made == out.size();
}

}  // namespace

constinit const CodecFunctions kZstd{compress_zstd, decompress_zstd};

std::uint64_t zstd_frame_bytes(Bytes bytes) {
  const std::size_t size = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
  return ZSTD_isError(size) != 0 ? 0 : size;
}

std::uint64_t zstd_content_bytes(Bytes bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? 0 : size;
}

std::uint64_t zstd_most_bytes(std::uint64_t content) {
  return ZSTD_compressBound(static_cast<std::size_t>(content));
}

}  // namespace onecast::events

#else
namespace onecast::events {

constinit const CodecFunctions kZstd{};
std::uint64_t zstd_frame_bytes(Bytes /*bytes*/) { return 0; }
std::uint64_t zstd_content_bytes(Bytes /*bytes*/) { return 0; }
std::uint64_t zstd_most_bytes(std::uint64_t content) { return content; }

}  // namespace onecast::events
#endif
