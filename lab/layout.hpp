#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ranges.hpp"

namespace onecast::lab {

constexpr std::uint32_t kLovMagicV1 = 0x0BD10BD0;
constexpr std::uint32_t kLovMagicV3 = 0x0BD30BD0;
constexpr std::uint32_t kLovMagicComposite = 0x0BD60BD0;
constexpr std::uint16_t kAllOsts = 0xFFFF;
constexpr std::uint16_t kAnyOst = 0xFFFF;
constexpr std::uint32_t kStripeAlignment = 64 << 10;

// The striping that a user may request; zero, kAllOsts and kAnyOst leave it to the file system.
struct StripeRequest {
  std::uint32_t stripe_size = 0;
  std::uint16_t stripe_count = 0;
  std::uint16_t first_ost = kAnyOst;
  std::string pool = {};     // only a name: all OSTs are in every pool
  std::uint64_t end = kEof;  // of the part of the file that it applies to
};
// The requests for consecutive parts of a file; the last part has no end.
using StripeRequests = std::vector<StripeRequest>;

// A part of a file inside one stripe.
struct Piece {
  std::uint32_t object = 0;  // the number of the object in the file
  Range range;               // in the object
  std::uint64_t offset = 0;  // of its first byte in the file
  bool ends_stripe = false;
};

// A range of a file (all of it, unless the layout is composite) that lies in objects of its own:
// round robin, one stripe at a time (RAID 0), counted from the start of the file.
struct Component {
  Range extent;
  std::uint32_t stripe_size = 0;
  std::vector<std::uint32_t> osts;  // one for each object
  std::uint32_t first_object = 0;
  std::string pool = {};
  bool initialised = true;  // false: as far as users see, it has no objects yet

  std::uint32_t count() const { return static_cast<std::uint32_t>(osts.size()); }
};

// Maps the bytes of a file to its objects.
struct Layout {
  std::vector<Component> components;

  std::uint32_t count() const;
  std::uint32_t ost_of(std::uint32_t object) const;
  std::vector<Piece> split(Range range) const;
  // Returns the size of one object of a file of `size` bytes.
  std::uint64_t object_size(std::uint64_t size, std::uint32_t object) const;
  // Notes a write to the range: from now on, `lustre.lov` lists the objects.
  void initialise(Range range);

 private:
  const Component& holder(std::uint32_t object) const;
};

// Returns the value of the extended attribute lustre.lov: magic, pattern, object id, stripe size
// and count, generation, in version 3 the pool; then 24 bytes per object. A composite layout has a
// header and entries, then one such value for each component.
std::vector<std::uint8_t> encode_lov(const Layout& layout, std::uint64_t inode);
std::vector<std::uint8_t> encode_lov(const StripeRequests& requests);
// Returns nothing if the bytes are not a layout that can be set.
std::optional<StripeRequests> decode_lov(std::span<const std::uint8_t> bytes);

}  // namespace onecast::lab
