// Header messages of every type: decoded, described, encoded again. The first byte of the input
// chooses the type, the second the sizes of offsets and lengths; the rest is the message.
#include "format/objects/message_records.hpp"
#include "format/objects/shared_message.hpp"
#include "fuzz/input.hpp"

namespace onecast {

using namespace format;

namespace {

template <class R>
void round_trip(ByteView bytes, const FileContext& file) {
  const R decoded = decode<R>(bytes, Address{0x1000}, file);
  describe(file, decoded);
  std::vector<std::byte> again(encoded_size(file, decoded));
  ByteWriter out(again);
  encode(out, file, decoded);
}

template <class... R>
void choose(unsigned number, ByteView bytes, const FileContext& file) {
  unsigned at = 0;
  static_cast<void>(((at++ == number && (round_trip<R>(bytes, file), true)) || ...));
}

/// They have the order of fuzz/make_seeds.py's MESSAGES: those by their type, then the rest.
#define ONECAST_RECORD(TYPE, RECORD) RECORD,
constexpr auto kChoose =
    choose<ONECAST_MESSAGE_RECORDS(ONECAST_RECORD) SharedMessage, ExternalLinkValue>;
#undef ONECAST_RECORD

}  // namespace

FUZZ_TARGET(bytes) {
  if (bytes.size() < 2) return;
  constexpr std::uint8_t kWidths[] = {8, 4, 2};
  const auto sizes = std::to_integer<unsigned>(bytes[1]);
  const FileContext file{"input.h5", kWidths[sizes % 3], kWidths[sizes / 3 % 3]};
  fuzz::expect_errors_only(
      [&] { kChoose(std::to_integer<unsigned>(bytes[0]), bytes.subspan(2), file); });
}

}  // namespace onecast
