#include "layout.hpp"

#include <algorithm>
#include <cstring>

namespace onecast::lab {
namespace {

constexpr std::size_t kHeaderSize = 32;
constexpr std::size_t kPoolNameSize = 16;
constexpr std::size_t kObjectSize = 24;
constexpr std::uint32_t kPatternRaid0 = 1;

template <typename T>
void put(std::vector<std::uint8_t>& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <typename T>
T get(std::span<const std::uint8_t> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::vector<std::uint8_t> encode_header(std::uint32_t stripe_size, std::uint16_t stripe_count,
                                        std::uint16_t last, std::uint64_t inode) {
  std::vector<std::uint8_t> bytes(kHeaderSize);
  put(bytes, 0, kLovMagicV1);
  put(bytes, 4, kPatternRaid0);
  put(bytes, 8, inode);
  put(bytes, 24, stripe_size);
  put(bytes, 28, stripe_count);
  put(bytes, 30, last);
  return bytes;
}

}  // namespace

std::vector<Piece> Layout::split(Range range) const {
  std::vector<Piece> pieces;
  while (range.size() > 0) {
    const std::uint64_t stripe = range.start / stripe_size;
    const std::uint64_t within = range.start % stripe_size;
    const std::uint64_t length = std::min(range.size(), stripe_size - within);
    const std::uint64_t at = stripe / count() * stripe_size + within;
    pieces.push_back(
        {static_cast<std::uint32_t>(stripe % count()), {at, at + length}, range.start});
    range.start += length;
  }
  return pieces;
}

std::uint64_t Layout::object_size(std::uint64_t size, std::uint32_t object) const {
  const std::uint64_t full = size / stripe_size;
  const std::uint64_t rows = full / count();
  const std::uint64_t last = full % count();  // the object that the rest belongs to
  if (object < last) return (rows + 1) * stripe_size;
  return rows * stripe_size + (object == last ? size % stripe_size : 0);
}

std::vector<std::uint8_t> encode_lov(const Layout& layout, std::uint64_t inode) {
  auto bytes =
      encode_header(layout.stripe_size, static_cast<std::uint16_t>(layout.count()), 0, inode);
  bytes.resize(kHeaderSize + kObjectSize * layout.count());
  for (std::uint32_t object = 0; object < layout.count(); ++object) {
    const std::size_t at = kHeaderSize + kObjectSize * object;
    put(bytes, at, inode);
    put(bytes, at + kObjectSize - 4, layout.osts[object]);
  }
  return bytes;
}

std::vector<std::uint8_t> encode_lov(const StripeRequest& request) {
  return encode_header(request.stripe_size, request.stripe_count, request.first_ost, 0);
}

std::optional<StripeRequest> decode_lov(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderSize) return std::nullopt;
  const auto magic = get<std::uint32_t>(bytes, 0);
  const bool has_pool = magic == kLovMagicV3;
  if (!has_pool && magic != kLovMagicV1) return std::nullopt;
  if (has_pool && bytes.size() < kHeaderSize + kPoolNameSize) return std::nullopt;
  const auto pattern = get<std::uint32_t>(bytes, 4);
  if (pattern != 0 && pattern != kPatternRaid0) return std::nullopt;
  const StripeRequest request{get<std::uint32_t>(bytes, 24), get<std::uint16_t>(bytes, 28),
                              get<std::uint16_t>(bytes, 30)};
  if (request.stripe_size % kStripeAlignment != 0) return std::nullopt;
  return request;
}

}  // namespace onecast::lab
