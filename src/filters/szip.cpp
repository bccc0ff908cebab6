#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "filters/byte_planes.hpp"
#include "filters/own_filter.hpp"

#ifdef ONECAST_HAVE_AEC
#include <libaec.h>
#endif

namespace onecast::filters {
namespace {

/// The bits of szip's options mask.
namespace szip_option {
constexpr std::uint32_t kAllowK13 = 1;
constexpr std::uint32_t kEntropyCoding = 4;
constexpr std::uint32_t kLittleEndian = 8;
constexpr std::uint32_t kBigEndian = 16;
constexpr std::uint32_t kNearestNeighbour = 32;
constexpr std::uint32_t kRaw = 128;  ///< no header of szip's own
}  // namespace szip_option

constexpr std::uint32_t kMaxBlock = 32;
constexpr std::uint32_t kMaxBlocksPerScanline = 128;

constexpr FilterParameter kCoding{"coding", 0, szip_option::kNearestNeighbour,
                                  szip_option::kEntropyCoding, szip_option::kNearestNeighbour};
constexpr FilterParameter kPixelsPerBlock{"pixels_per_block", 1, 8, 2, kMaxBlock};
constexpr FilterParameter kParameters[] = {kCoding, kPixelsPerBlock};

#ifdef ONECAST_HAVE_AEC
/// The client data of szip, in its own terms.
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

/// The libaec parameters for both directions.
aec_stream stream_of(const Parameters& p, ByteView in, std::span<std::byte> out) {
  aec_stream stream{};
  stream.next_in = reinterpret_cast<const unsigned char*>(in.data());
  stream.avail_in = in.size();
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = out.size();
  stream.bits_per_sample = p.sample_bits();
  stream.block_size = p.pixels_per_block;
  stream.rsi = p.blocks_per_scanline();
  stream.flags = AEC_NOT_ENFORCE;  // blocks of any even size
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

/// The samples of a chunk as scanlines, which are padded to whole blocks for libaec.
struct Scanlines {
  std::size_t size;    ///< the bytes of all samples
  std::size_t line;    ///< the bytes of a scanline
  std::size_t padded;  ///< the bytes of a padded scanline
  std::size_t sample;

  Scanlines(const Parameters& p, std::size_t size_of_chunk)
      : size(size_of_chunk),
        line(p.pixels_per_scanline * p.sample_bytes()),
        padded(std::size_t{p.blocks_per_scanline()} * p.pixels_per_block * p.sample_bytes()),
        sample(p.sample_bytes()) {}

  [[nodiscard]] bool need_padding() const { return line != padded; }
  /// The bytes that libaec processes.
  [[nodiscard]] std::size_t coded_size() const {
    return need_padding() ? (size + line - 1) / line * padded : size;
  }

  /// Moves the lines to the front, without their padding.
  void remove_padding(std::span<std::byte> lines) const {
    for (std::size_t from = padded, to = line; from < lines.size(); from += padded, to += line)
      std::copy_n(lines.data() + from, line, lines.data() + to);
  }

  /// Pads the unpadded data at the end of `lines`. A copied line never overwrites one not copied
  /// yet.
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

/// The size of the data in four bytes, then the stream for libaec.
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

/// Like the HDF5 library, returns nothing if the result, without the head, would be larger.
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
  // This also fails if there is not enough room.
  if (aec_buffer_encode(&stream) != AEC_OK) return std::nullopt;
  return out.first(out.size() - stream.avail_out);
}
#endif

// --- its client data -----------------------------------------------------------------------------

/// The number that szip sees in an element, or in a part of it.
const Datatype& number_in(const FilterSetup& setup) {
  const Datatype* number = &setup.type();
  for (;;) switch (number->type_class()) {
      case TypeClass::array:
      case TypeClass::complex:
      case TypeClass::enumeration:
        number = &number->base();
        break;
      case TypeClass::integer:
      case TypeClass::floating:
      case TypeClass::bitfield:
      case TypeClass::time:
        return *number;
      default:
        setup.fail(fmt::format("it cannot be applied to {}", setup.type().describe()));
    }
}

std::uint32_t bits_of(const Datatype& number, const FilterSetup& setup) {
  const auto all = static_cast<std::uint32_t>(8 * number.size());
  std::uint32_t bits = number.type_class() == TypeClass::time ? all : number.bits().precision;
  if (bits < all && number.bits().offset != 0) bits = all;
  if (bits > 24 && bits <= 32) bits = 32;
  if (bits > 32 && bits <= 64) bits = 64;
  // szip stores such samples in 1, 2, 4 or 8 bytes, so elements must consist of these.
  const std::size_t sample = bits > 32 ? 8 : bits > 16 ? 4 : bits > 8 ? 2 : 1;
  if (bits > 64 || number.size() % sample != 0)
    setup.fail(fmt::format("it cannot be applied to {}", setup.type().describe()));
  return bits;
}

/// Returns the number of pixels in a scanline: a row of the chunk (its last dimension), or the
/// whole chunk if a row is shorter than a block; at most 128 blocks.
std::uint32_t scanline_of(std::uint32_t block, const FilterSetup& setup) {
  constexpr std::uint64_t kMaxPixels = std::uint64_t{kMaxBlock} * kMaxBlocksPerScanline;
  const Shape& chunk = setup.dataset().chunk;
  const std::uint64_t count = setup.chunk_elements();
  const std::uint64_t row = chunk.empty() ? 1 : chunk.back();
  const std::uint64_t most = std::uint64_t{block} * kMaxBlocksPerScanline;
  if (count < block)
    setup.fail(
        fmt::format("blocks of {} pixels, more than the {} elements of a chunk", block, count));
  if (row > kMaxPixels) return static_cast<std::uint32_t>(most);
  return static_cast<std::uint32_t>(std::min(most, row < block ? count : row));
}

ClientData client_data(const FilterSetup& setup) {
  constexpr std::uint32_t kChoices = szip_option::kEntropyCoding | szip_option::kNearestNeighbour;
  constexpr std::uint32_t kOrders = szip_option::kLittleEndian | szip_option::kBigEndian;
  if (setup.given().size() < 2) setup.fail("client data: expected options and pixels per block");
  const std::uint32_t block = setup.value(kPixelsPerBlock);
  if (block % 2 != 0) setup.fail("an odd number of pixels per block");
  std::uint32_t options = setup.given()[0] & ~kOrders;
  if ((options & kChoices) == 0 || (options & kChoices) == kChoices)
    setup.fail("options: expected either entropy coding or nearest neighbour");
  options |= szip_option::kAllowK13 | szip_option::kRaw;

  const Datatype& number = number_in(setup);
  options |= setup.byte_order(number) == 1 ? szip_option::kBigEndian : szip_option::kLittleEndian;
  return {options, block, bits_of(number, setup), scanline_of(block, setup)};
}

}  // namespace

constinit const OwnFilter kSzipFilter{.id = 4,
                                      .name = "szip",
                                      .parameters = kParameters,
                                      .required = 2,
                                      .library = "libaec",
#ifdef ONECAST_HAVE_AEC
                                      .decode = decode_szip,
                                      .encode = encode_szip,
#endif
                                      .client_data = client_data,
                                      .asked = {.count = 2}};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::szip(Szip coding, std::uint32_t pixels_per_block) {
  return kSzipFilter.with({coding == Szip::nearest_neighbour ? szip_option::kNearestNeighbour
                                                             : szip_option::kEntropyCoding,
                           pixels_per_block});
}

}  // namespace onecast
