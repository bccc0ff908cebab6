#include "compression/codec_functions.hpp"
#include "onecast/base/error.hpp"

#ifdef ONECAST_HAVE_LZMA
#include <lzma.h>

namespace onecast::events {
namespace {

const std::uint8_t* as_bytes(Bytes bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

void compress_lzma(int level, Bytes bytes, std::vector<std::byte>& out) {
  const std::size_t before = out.size();
  out.resize(before + lzma_stream_buffer_bound(bytes.size()));
  std::size_t end = before;
  const lzma_ret result = lzma_easy_buffer_encode(
      static_cast<std::uint32_t>(level), LZMA_CHECK_CRC32, nullptr, as_bytes(bytes), bytes.size(),
      reinterpret_cast<std::uint8_t*>(out.data()), &end, out.size());
  if (result != LZMA_OK) throw Error(ErrorCode::io, "lzma: out of memory");
  out.resize(end);
}

bool decompress_lzma(Bytes bytes, std::span<std::byte> out) {
  // Preset 9 needs a little less.
  std::uint64_t memory = std::uint64_t{128} << 20U;
  std::size_t in_at = 0;
  std::size_t out_at = 0;
  std::byte none{};  // liblzma wants an address even for no bytes
  auto* to = reinterpret_cast<std::uint8_t*>(out.empty() ? &none : out.data());
  const lzma_ret result = lzma_stream_buffer_decode(&memory, 0, nullptr, as_bytes(bytes), &in_at,
                                                    bytes.size(), to, &out_at, out.size());
  return result == LZMA_OK && in_at == bytes.size() && out_at == out.size();
}

}  // namespace

constinit const CodecFunctions kLzma{compress_lzma, decompress_lzma};

}  // namespace onecast::events

#else
constinit const onecast::events::CodecFunctions onecast::events::kLzma{};
#endif
