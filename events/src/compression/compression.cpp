#include "compression/compression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compression/codec_functions.hpp"
#include "model/little_endian.hpp"
#include "model/make_error.hpp"
#include "model/tight.hpp"

namespace onecast::events {
namespace {

struct CodecRow {
  std::string_view name;
  int least_level, most_level, default_level;
  std::uint64_t most_ratio;  ///< the most bytes that one stored byte can yield
  const CodecFunctions& functions;
};

const CodecRow& row_of(Codec codec) {
  static constexpr CodecFunctions kNone{};
  static const std::array<CodecRow, 4> kRows{{
      {"none", 0, 0, 0, 1, kNone},
      {"lz4", 1, 12, 1, 256, kLz4},
      {"zstd", 1, 22, 3, 65536, kZstd},
      {"lzma", 0, 9, 4, 16384, kLzma},
  }};
  return kRows[static_cast<std::size_t>(codec)];
}

constexpr std::array kCodecs{Codec::none, Codec::lz4, Codec::zstd, Codec::lzma};

}  // namespace

std::string_view name_of(Codec codec) { return row_of(codec).name; }

Codec codec_named(std::string_view name, const std::string& where) {
  for (const Codec codec : kCodecs) {
    if (name_of(codec) != name) continue;
    if (codec != Codec::none && row_of(codec).functions.compress == nullptr)
      throw unsupported_error("{}: Onecast was built without the library of {}", where, name);
    return codec;
  }
  throw format_error("{}: unknown compression {}", where, name);
}

std::vector<OptionInfo> compression_options(const std::vector<std::string>& codecs) {
  std::string levels;
  for (const Codec codec : kCodecs) {
    if (codec == Codec::none || std::ranges::count(codecs, name_of(codec)) == 0) continue;
    const CodecRow& row = row_of(codec);
    levels += fmt::format("{}{} {} to {} ({})", levels.empty() ? "" : ", ", row.name,
                          row.least_level, row.most_level, row.default_level);
  }
  return {{.name = "compression",
           .kind = OptionInfo::Kind::choice,
           .otherwise = "none",
           .description = "the codec",
           .choices = codecs},
          {.name = "level",
           .kind = OptionInfo::Kind::number,
           .otherwise = "",
           .description = "the level of the compression: " + levels}};
}

Compression compression_of(const Options& options) {
  const Codec codec = codec_named(options.text("compression"), "compression");
  const CodecRow& row = row_of(codec);
  if (!options.is_given("level")) return {codec, row.default_level};
  const std::uint64_t level = options.number("level");
  if (codec == Codec::none) options.reject("level", "is for a compression");
  if (level < static_cast<std::uint64_t>(row.least_level) ||
      level > static_cast<std::uint64_t>(row.most_level))
    options.reject("level", fmt::format("{} to {} was expected for {}", row.least_level,
                                        row.most_level, row.name));
  return {codec, static_cast<int>(level)};
}

void compress(const Compression& compression, Bytes bytes, std::vector<std::byte>& out) {
  row_of(compression.codec).functions.compress(compression.level, bytes, out);
}

void decompress(Codec codec, Bytes bytes, std::span<std::byte> out, const std::string& where) {
  if (!row_of(codec).functions.decompress(bytes, out))
    throw format_error("{}: {} bytes are not the {} form of {} bytes", where, bytes.size(),
                       name_of(codec), out.size());
}

void check_ratio(Codec codec, std::uint64_t stored, std::uint64_t size, const std::string& where) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{8} << 30U;
  if (size > kMostBytes || size / row_of(codec).most_ratio > stored)
    throw format_error("{}: {} bytes cannot be the {} form of {} bytes", where, stored,
                       name_of(codec), size);
}

void add_piece(const Compression& compression, Bytes bytes, std::vector<std::byte>& out) {
  if (!compression.is_on()) return void(out.insert(out.end(), bytes.begin(), bytes.end()));
  if (bytes.empty()) return;
  append_u64(out, bytes.size());
  compress(compression, bytes, out);
}

Bytes open_piece(Codec codec, Bytes piece, std::vector<std::byte>& room, const std::string& where) {
  if (codec == Codec::none || piece.empty()) return piece;
  constexpr std::size_t kSize = sizeof(std::uint64_t);
  if (piece.size() < kSize)
    throw format_error("{}: {} bytes are too few for a compressed piece", where, piece.size());
  const std::uint64_t size = read_u64(piece);
  check_ratio(codec, piece.size() - kSize, size, where);
  resize_tightly(room, static_cast<std::size_t>(size));
  decompress(codec, piece.subspan(kSize), room, where);
  return room;
}

}  // namespace onecast::events
