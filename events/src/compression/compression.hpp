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

/// How bytes are compressed.
struct Compression {
  Codec codec = Codec::none;
  int level = 0;

  [[nodiscard]] bool is_on() const { return codec != Codec::none; }
};

std::string_view name_of(Codec codec);
/// Throws Error (format) that begins with `where` for an unknown name.
Codec codec_named(std::string_view name, const std::string& where);

/// The options `compression` and `level` of an outputer, and what was given for them.
std::vector<OptionInfo> compression_options(const std::vector<std::string>& codecs);
Compression compression_of(const Options& options);

/// Appends the compressed bytes to `out` as the codec makes them: an LZ4 block, a ZSTD frame, an XZ
/// stream. Equal bytes give equal results.
void compress(const Compression& compression, Bytes bytes, std::vector<std::byte>& out);
/// Fills `out` exactly. Throws Error (format) that begins with `where`.
void decompress(Codec codec, Bytes bytes, std::span<std::byte> out, const std::string& where);
/// Throws Error (format) where `stored` bytes cannot become `size`: before memory is taken for
/// them.
void check_ratio(Codec codec, std::uint64_t stored, std::uint64_t size, const std::string& where);

/// A piece: the number of bytes before compression (64 bits, little-endian), then what compress()
/// made. No bytes are an empty piece. Without compression, the bytes.
void add_piece(const Compression& compression, Bytes bytes, std::vector<std::byte>& out);
/// The bytes of a piece, in `room` or as they are stored. Throws Error (format).
Bytes open_piece(Codec codec, Bytes piece, std::vector<std::byte>& room, const std::string& where);

}  // namespace onecast::events
