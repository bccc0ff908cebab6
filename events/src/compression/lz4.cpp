#include <climits>

#include "compression/codec_functions.hpp"
#include "onecast/base/error.hpp"

#ifdef ONECAST_HAVE_LZ4
#include <lz4.h>
#include <lz4hc.h>

namespace onecast::events {
namespace {

void compress_lz4(int level, Bytes bytes, std::vector<std::byte>& out) {
  if (bytes.size() > LZ4_MAX_INPUT_SIZE)
    throw Error(ErrorCode::invalid_argument, "lz4 takes less than 2 GiB at once");
  const auto size = static_cast<int>(bytes.size());
  const std::size_t before = out.size();
  const int room = LZ4_compressBound(size);
  out.resize(before + static_cast<std::size_t>(room));
  const auto* from = reinterpret_cast<const char*>(bytes.data());
  auto* to = reinterpret_cast<char*>(out.data() + before);
  // LZ4_compress_HC has no levels below 3.
  const int made = level < 3 ? LZ4_compress_default(from, to, size, room)
                             : LZ4_compress_HC(from, to, size, room, level);
  out.resize(before + static_cast<std::size_t>(made));
}

bool decompress_lz4(Bytes bytes, std::span<std::byte> out) {
  if (bytes.size() > INT_MAX || out.size() > INT_MAX) return false;
  const int made = LZ4_decompress_safe(
      reinterpret_cast<const char*>(bytes.data()), reinterpret_cast<char*>(out.data()),
      static_cast<int>(bytes.size()), static_cast<int>(out.size()));
  return made >= 0 && static_cast<std::size_t>(made) == out.size();
}

}  // namespace

constinit const CodecFunctions kLz4{compress_lz4, decompress_lz4};

}  // namespace onecast::events

#else
constinit const onecast::events::CodecFunctions onecast::events::kLz4{};
#endif
