#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ranges.hpp"

namespace onecast::lab {

constexpr std::uint32_t kLovMagicV1 = 0x0BD10BD0;
constexpr std::uint32_t kLovMagicV3 = 0x0BD30BD0;
constexpr std::uint16_t kAllOsts = 0xFFFF;
constexpr std::uint16_t kAnyOst = 0xFFFF;
constexpr std::uint32_t kStripeAlignment = 64 << 10;

// What a user may ask for; zero, kAllOsts and kAnyOst leave it to the file system.
struct StripeRequest {
  std::uint32_t stripe_size = 0;
  std::uint16_t stripe_count = 0;
  std::uint16_t first_ost = kAnyOst;
};

// A part of a file inside one stripe.
struct Piece {
  std::uint32_t object = 0;  // which of the file's objects
  Range range;               // in the object
  std::uint64_t offset = 0;  // of its first byte in the file
};

// How the bytes of a file lie in its objects: round robin, a stripe at a time (RAID 0).
struct Layout {
  std::uint32_t stripe_size = 0;
  std::vector<std::uint32_t> osts;  // of each object

  std::uint32_t count() const { return static_cast<std::uint32_t>(osts.size()); }
  std::vector<Piece> split(Range range) const;
  // The size of one object of a file of `size` bytes.
  std::uint64_t object_size(std::uint64_t size, std::uint32_t object) const;
};

// The value of the extended attribute lustre.lov: magic, pattern, object id, stripe size and
// count, generation; then 24 bytes per object.
std::vector<std::uint8_t> encode_lov(const Layout& layout, std::uint64_t inode);
std::vector<std::uint8_t> encode_lov(const StripeRequest& request);
// Nothing where the bytes are not a version 1 or 3 layout that could be set.
std::optional<StripeRequest> decode_lov(std::span<const std::uint8_t> bytes);

}  // namespace onecast::lab
