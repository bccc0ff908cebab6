#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "filters/own_filter.hpp"

#ifdef ONECAST_HAVE_LZF
#include <liblzf/lzf.h>
#endif

namespace onecast::filters {
namespace {

#ifdef ONECAST_HAVE_LZF
/// The longest match is 264 bytes, encoded as 3.
constexpr std::size_t kMaxRatio = 264 / 3;
constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();

/// Writes what lzf_decompress reads. Unlike the library's own compressor, which starts with an
/// uninitialized table on the stack, it always gives equal results for equal bytes.
class LzfWriter {
 public:
  static constexpr std::size_t kMaxLiterals = 32;

  /// `out` must have room for all input bytes, and one more for each run of literals.
  LzfWriter(ByteView in, std::byte* out) : in_(in), begin_(out), out_(out) { positions().fill(0); }

  /// Returns the compressed size.
  std::size_t compress() {
    std::size_t literals = 0;  // the start of literals not written yet
    std::size_t at = 0;
    while (at + kMinMatch <= in_.size()) {
      const std::size_t before = exchange_place(at);
      if (before == kNowhere || at - before > kMaxDistance ||
          std::memcmp(&in_[before], &in_[at], kMinMatch) != 0) {
        ++at;
        continue;
      }
      const std::size_t length = match_length(before, at);
      put_literals(in_.subspan(literals, at - literals));
      put_match(at - before, length);
      at += length;
      literals = at;
      // Notes the last bytes of the match, so that matches across its end are found.
      if (at + 1 < in_.size()) exchange_place(at - 1);
    }
    put_literals(in_.subspan(literals));
    return static_cast<std::size_t>(out_ - begin_);
  }

 private:
  static constexpr std::size_t kMinMatch = 3;
  static constexpr std::size_t kMaxMatch = 264;
  static constexpr std::size_t kMaxDistance = 8192;
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  static constexpr unsigned kHashBits = 14;
  using Positions = std::array<std::uint32_t, std::size_t{1} << kHashBits>;

  /// The last position of three bytes plus one, by their hash; 0: none.
  static Positions& positions() {
    static thread_local Positions mine;
    return mine;
  }

  [[nodiscard]] std::uint32_t byte(std::size_t at) const {
    return std::to_integer<std::uint32_t>(in_[at]);
  }

  /// Notes these three bytes. Returns a previous position of bytes with the same hash.
  std::size_t exchange_place(std::size_t at) {
    const std::uint32_t three = byte(at) << 16U | byte(at + 1) << 8U | byte(at + 2);
    std::uint32_t& position = positions()[three * 2654435761U >> (32U - kHashBits)];
    const std::uint32_t before = std::exchange(position, static_cast<std::uint32_t>(at + 1));
    return before == 0 ? kNowhere : before - 1;
  }

  [[nodiscard]] std::size_t match_length(std::size_t before, std::size_t at) const {
    const std::size_t most = std::min(kMaxMatch, in_.size() - at);
    std::size_t length = kMinMatch;
    while (length < most && in_[before + length] == in_[at + length]) ++length;
    return length;
  }

  void put(std::size_t value) { *out_++ = static_cast<std::byte>(value & 0xFFU); }

  void put_literals(ByteView bytes) {
    while (!bytes.empty()) {
      const ByteView run = bytes.first(std::min(kMaxLiterals, bytes.size()));
      put(run.size() - 1);
      out_ = std::copy(run.begin(), run.end(), out_);
      bytes = bytes.subspan(run.size());
    }
  }

  /// Three bits for the length minus 2, all set if the rest of it takes another byte; 13 bits for
  /// the distance.
  void put_match(std::size_t distance, std::size_t length) {
    const std::size_t back = distance - 1;
    const std::size_t more = length - 2;
    put(std::min<std::size_t>(more, 7) << 5U | back >> 8U);
    if (more >= 7) put(more - 7);
    put(back);
  }

  ByteView in_;
  std::byte* begin_;
  std::byte* out_;
};

ByteView decode_lzf(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  if (filtered.empty()) job.fail("no bytes");
  if (filtered.size() > kMost) job.fail("4 GiB or more");
  const std::span<std::byte> out =
      workspace.result(std::min(job.limit(filtered.size(), kMaxRatio), kMost));
  const unsigned size = lzf_decompress(filtered.data(), static_cast<unsigned>(filtered.size()),
                                       out.data(), static_cast<unsigned>(out.size()));
  if (size == 0)
    job.fail(errno == E2BIG ? "expands to more than is possible" : "not a valid lzf stream");
  return out.first(size);
}

/// Like the registered plugin, returns nothing unless the result is smaller.
std::optional<ByteView> encode_lzf(const FilterJob& job, ByteView plain, Workspace& workspace) {
  if (plain.size() >= kMost) job.fail("4 GiB or more");
  const std::span<std::byte> out =
      workspace.result(plain.size() + plain.size() / LzfWriter::kMaxLiterals + 1);
  const std::size_t size = LzfWriter(plain, out.data()).compress();
  if (size >= plain.size()) return std::nullopt;
  return out.first(size);
}
#endif

/// Two versions, which readers ignore, and the size of a chunk.
ClientData client_data(const FilterSetup& setup) {
  constexpr std::uint32_t kPluginVersion = 4;
  constexpr std::uint32_t kLzfVersion = 0x0105;
  return {kPluginVersion, kLzfVersion, setup.chunk_bytes()};
}

}  // namespace

constinit const OwnFilter kLzfFilter{.id = 32000,
                                     .name = "lzf",
                                     .library = "liblzf",
#ifdef ONECAST_HAVE_LZF
                                     .decode = decode_lzf,
                                     .encode = encode_lzf,
#endif
                                     .client_data = client_data,
                                     .asked = kNothingAsked};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::lzf() { return kLzfFilter.with({}); }

}  // namespace onecast
