#include <libaec.h>

#include <algorithm>
#include <array>

#include "filters/byte_planes.hpp"
#include "filters/filter.hpp"

namespace onecast {
namespace {

constexpr std::uint32_t kBigEndianOption = 16;
constexpr std::uint32_t kNearestNeighbourOption = 32;  ///< else entropy coding alone
constexpr std::uint32_t kMaxBlock = 32;
constexpr std::uint32_t kMaxBlocksPerScanline = 128;

/// The "client data" of szip, in its own words.
struct Parameters {
  std::uint32_t options;
  std::uint32_t pixels_per_block;
  std::uint32_t bits_per_pixel;
  std::uint32_t pixels_per_scanline;

  /// Pixels of 32 and 64 bits are coded as planes of bytes.
  [[nodiscard]] bool in_planes() const { return bits_per_pixel == 32 || bits_per_pixel == 64; }
  [[nodiscard]] unsigned sample_bits() const { return in_planes() ? 8 : bits_per_pixel; }
  [[nodiscard]] std::size_t sample_bytes() const {
    return sample_bits() > 16 ? 4 : sample_bits() > 8 ? 2 : 1;
  }
  [[nodiscard]] std::uint32_t blocks_per_scanline() const {
    return (pixels_per_scanline + pixels_per_block - 1) / pixels_per_block;
  }
};

Parameters parameters(const FilterJob& job) {
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  if (values.size() != 4) job.fail("client data: expected four values");
  const Parameters p{values[0], values[1], values[2], values[3]};
  const bool valid = p.pixels_per_block != 0 && p.pixels_per_block % 2 == 0 &&
                     p.pixels_per_block <= kMaxBlock && p.bits_per_pixel != 0 &&
                     (p.bits_per_pixel <= 32 || p.bits_per_pixel == 64) &&
                     p.pixels_per_scanline >= p.pixels_per_block &&
                     p.pixels_per_scanline <= p.pixels_per_block * kMaxBlocksPerScanline;
  if (!valid) job.fail("client data: no valid bits, block and scanline");
  return p;
}

/// Fills `out`, or fails.
void decompress(const FilterJob& job, const Parameters& p, ByteView in, std::span<std::byte> out) {
  aec_stream stream{};
  stream.next_in = reinterpret_cast<const unsigned char*>(in.data());
  stream.avail_in = in.size();
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = out.size();
  stream.bits_per_sample = p.sample_bits();
  stream.block_size = p.pixels_per_block;
  stream.rsi = p.blocks_per_scanline();
  if ((p.options & kBigEndianOption) != 0) stream.flags |= AEC_DATA_MSB;
  if ((p.options & kNearestNeighbourOption) != 0) stream.flags |= AEC_DATA_PREPROCESS;
  if (aec_buffer_decode(&stream) != AEC_OK) job.fail("not a valid szip stream");
  if (stream.avail_out != 0) job.fail("ends early");
}

/// A scanline that is no multiple of a block was padded: moves what is not padding to the front.
void remove_padding(std::span<std::byte> lines, std::size_t line, std::size_t padded) {
  for (std::size_t from = padded, to = line; from < lines.size(); from += padded, to += line)
    std::copy_n(lines.data() + from, line, lines.data() + to);
}

}  // namespace

/// The size of the data, four bytes, then what libaec decodes.
ByteView decode_szip(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  const Parameters p = parameters(job);
  constexpr std::size_t kHead = 4;
  if (filtered.size() < kHead) job.fail("ends early");
  std::uint32_t claimed = 0;
  for (std::size_t i = kHead; i-- > 0;)
    claimed = claimed << 8U | std::to_integer<std::uint32_t>(filtered[i]);
  const ByteView stream = filtered.subspan(kHead);

  const std::size_t size = job.claimed_size(claimed);
  const std::span<std::byte> out = workspace.result(size);
  const std::size_t line = p.pixels_per_scanline * p.sample_bytes();
  const std::size_t padded =
      std::size_t{p.blocks_per_scanline()} * p.pixels_per_block * p.sample_bytes();
  if (line == padded && !p.in_planes()) {
    decompress(job, p, stream, out);
    return out;
  }

  const std::size_t lines = (size + line - 1) / line;
  const std::span<std::byte> decoded = workspace.temporary(line == padded ? size : lines * padded);
  decompress(job, p, stream, decoded);
  if (line != padded) remove_padding(decoded, line, padded);
  if (!p.in_planes()) {
    std::copy_n(decoded.begin(), size, out.begin());
    return out;
  }
  const std::size_t width = p.bits_per_pixel / 8;
  if (size % width != 0) job.fail("a part of a pixel");
  join_byte_planes(decoded.data(), out.data(), size / width, width);
  return out;
}

}  // namespace onecast
