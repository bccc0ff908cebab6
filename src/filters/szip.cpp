#include <libaec.h>

#include <algorithm>
#include <limits>

#include "filters/byte_planes.hpp"
#include "filters/filter.hpp"
#include "filters/filter_id.hpp"

namespace onecast {
namespace {

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

/// What libaec is told, both ways.
aec_stream stream_of(const Parameters& p, ByteView in, std::span<std::byte> out) {
  aec_stream stream{};
  stream.next_in = reinterpret_cast<const unsigned char*>(in.data());
  stream.avail_in = in.size();
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = out.size();
  stream.bits_per_sample = p.sample_bits();
  stream.block_size = p.pixels_per_block;
  stream.rsi = p.blocks_per_scanline();
  stream.flags = AEC_NOT_ENFORCE;  // blocks of any even number
  if ((p.options & szip_option::kBigEndian) != 0) stream.flags |= AEC_DATA_MSB;
  if ((p.options & szip_option::kNearestNeighbour) != 0) stream.flags |= AEC_DATA_PREPROCESS;
  return stream;
}

/// Fills `out`, or fails.
void decompress(const FilterJob& job, const Parameters& p, ByteView in, std::span<std::byte> out) {
  aec_stream stream = stream_of(p, in, out);
  if (aec_buffer_decode(&stream) != AEC_OK) job.fail("not a valid szip stream");
  if (stream.avail_out != 0) job.fail("ends early");
}

/// The samples of a chunk as scanlines, which libaec gets padded to whole blocks.
struct Scanlines {
  std::size_t size;    ///< bytes of all samples
  std::size_t line;    ///< bytes of a scanline
  std::size_t padded;  ///< of one that is padded
  std::size_t sample;

  Scanlines(const Parameters& p, std::size_t size_of_chunk)
      : size(size_of_chunk),
        line(p.pixels_per_scanline * p.sample_bytes()),
        padded(std::size_t{p.blocks_per_scanline()} * p.pixels_per_block * p.sample_bytes()),
        sample(p.sample_bytes()) {}

  [[nodiscard]] bool need_padding() const { return line != padded; }
  /// Bytes that libaec has to do with.
  [[nodiscard]] std::size_t coded_size() const {
    return need_padding() ? (size + line - 1) / line * padded : size;
  }

  /// Moves what is not padding to the front.
  void remove_padding(std::span<std::byte> lines) const {
    for (std::size_t from = padded, to = line; from < lines.size(); from += padded, to += line)
      std::copy_n(lines.data() + from, line, lines.data() + to);
  }

  /// From the end of `lines`, where it lies without padding: no line reaches one that is not moved.
  void add_padding(std::span<std::byte> lines, bool repeats_last) const {
    std::span<std::byte> from = lines.last(size);
    for (std::byte* to = lines.data(); !from.empty(); to += padded) {
      const std::size_t length = std::min(line, from.size());
      std::copy_n(from.data(), length, to);
      for (std::size_t i = length; i < padded; ++i)
        to[i] = repeats_last && length >= sample ? to[i - sample] : std::byte{0};
      from = from.subspan(length);
    }
  }
};

constexpr std::size_t kHead = 4;

}  // namespace

/// The size of the data, four bytes, then what libaec decodes.
ByteView decode_szip(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  const Parameters p = parameters(job);
  if (filtered.size() < kHead) job.fail("ends early");
  std::uint32_t claimed = 0;
  for (std::size_t i = kHead; i-- > 0;)
    claimed = claimed << 8U | std::to_integer<std::uint32_t>(filtered[i]);
  const ByteView stream = filtered.subspan(kHead);

  const std::size_t size = job.claimed_size(claimed);
  const std::span<std::byte> out = workspace.result(size);
  const Scanlines lines(p, size);
  if (!lines.need_padding() && !p.in_planes()) {
    decompress(job, p, stream, out);
    return out;
  }

  const std::span<std::byte> decoded = workspace.temporary(lines.coded_size());
  decompress(job, p, stream, decoded);
  if (lines.need_padding()) lines.remove_padding(decoded);
  if (!p.in_planes()) {
    std::copy_n(decoded.begin(), size, out.begin());
    return out;
  }
  const std::size_t width = p.bits_per_pixel / 8;
  if (size % width != 0) job.fail("a part of a pixel");
  join_byte_planes(decoded.data(), out.data(), size / width, width);
  return out;
}

/// Like the HDF5 library: no larger than before but for the head, or not at all.
std::optional<ByteView> encode_szip(const FilterJob& job, ByteView plain, Workspace& workspace) {
  const Parameters p = parameters(job);
  if (plain.size() > std::numeric_limits<std::uint32_t>::max()) job.fail("4 GiB or more");
  const std::size_t pixel = p.in_planes() ? p.bits_per_pixel / 8 : p.sample_bytes();
  if (plain.size() % pixel != 0) job.fail("a part of a pixel");

  const Scanlines lines(p, plain.size());
  ByteView samples = plain;
  if (lines.need_padding() || p.in_planes()) {
    const std::span<std::byte> room = workspace.temporary(lines.coded_size());
    const std::span<std::byte> last = room.last(plain.size());
    if (p.in_planes())
      split_byte_planes(plain.data(), last.data(), plain.size() / pixel, pixel);
    else
      std::copy(plain.begin(), plain.end(), last.begin());
    if (lines.need_padding())
      lines.add_padding(room, (p.options & szip_option::kNearestNeighbour) != 0);
    samples = room;
  }

  const std::span<std::byte> out = workspace.result(kHead + plain.size());
  for (std::size_t i = 0; i < kHead; ++i)
    out[i] = static_cast<std::byte>(plain.size() >> (8 * i) & 0xFFU);
  aec_stream stream = stream_of(p, samples, out.subspan(kHead));
  // It fails, too, if there is not enough room.
  if (aec_buffer_encode(&stream) != AEC_OK) return std::nullopt;
  return out.first(out.size() - stream.avail_out);
}

}  // namespace onecast
