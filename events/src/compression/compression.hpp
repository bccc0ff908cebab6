#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/events/component.hpp"
#include "onecast/events/product.hpp"

namespace onecast::events {

enum class Codec : std::uint8_t { none, lz4, zstd, lzma };

/// A codec and its level.
struct Compression {
  Codec codec = Codec::none;
  int level = 0;

  [[nodiscard]] bool is_on() const { return codec != Codec::none; }
};

std::string_view name_of(Codec codec);
/// Throws Error (format) that begins with `where` for an unknown name.
Codec codec_named(std::string_view name, const std::string& where);

/// The options `compression` and `level` of an outputer, and the values given for them.
std::vector<OptionInfo> compression_options(const std::vector<std::string>& codecs);
Compression compression_of(const Options& options);

/// Appends the compressed bytes to `out` in the format of the codec: an LZ4 block, a ZSTD frame, an
/// XZ stream. Equal bytes give equal results.
void compress(const Compression& compression, Bytes bytes, std::vector<std::byte>& out);
/// Fills `out` exactly. Throws Error (format) that begins with `where`.
void decompress(Codec codec, Bytes bytes, std::span<std::byte> out, const std::string& where);
/// Throws Error (format) if `stored` bytes cannot decompress to `size`, so that no memory is
/// allocated for a size that cannot be true.
void check_ratio(Codec codec, std::uint64_t stored, std::uint64_t size, const std::string& where);

/// Appends a piece: the number of bytes before compression (64 bits, little-endian), then the
/// compressed bytes. An empty piece stands for no bytes. Without compression, the piece is the
/// bytes.
void add_piece(const Compression& compression, Bytes bytes, std::vector<std::byte>& out);
/// Returns the bytes of a piece, in `room` or as they are stored. Throws Error (format).
Bytes open_piece(Codec codec, Bytes piece, std::vector<std::byte>& room, const std::string& where);

}  // namespace onecast::events
