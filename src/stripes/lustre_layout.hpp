#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::stripes {

/// A component of a Lustre file: a range of the file with one striping. Stripe k of the file
/// (counted from its start) lies on target k mod `stripe_count` of the component.
struct LustreComponent {
  static constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};

  std::uint64_t begin = 0;
  std::uint64_t end = kNoEnd;
  std::uint64_t stripe_size = 0;
  std::uint32_t stripe_count = 0;      ///< 0: not known yet
  bool initialised = true;             ///< it has objects
  std::vector<std::uint32_t> targets;  ///< index of the OST of each stripe; empty if not chosen yet

  bool operator==(const LustreComponent&) const = default;
};

/// Decodes the attribute `lustre.lov` of a file: plain (v1), with a pool (v3) or chosen targets, or
/// composite (PFL). Leaves out components without targets. `file` is the name for errors. Throws
/// Error (format).
std::vector<LustreComponent> decode_lustre_layout(ByteView attribute, const std::string& file);

/// Encodes the attribute that requests a striping (v1, no target chosen). `stripe_size` or
/// `stripe_count` 0: the default of the directory; kAllTargets: all targets. `front`: this many
/// bytes at the start of the file, rounded up to whole stripes, are a component of one stripe
/// (composite); 0: there is none.
std::vector<std::byte> encode_lustre_request(std::uint32_t stripe_size, std::uint16_t stripe_count,
                                             std::uint64_t front = 0);
inline constexpr std::uint16_t kAllTargets = 0xFFFF;

}  // namespace onecast::stripes
