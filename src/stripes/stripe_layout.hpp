#pragma once

#include <array>
#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::stripes {

/// The distribution of a file over the storage targets of a parallel file system: stripe k, the
/// bytes from k * stripe_size on, lies on target k mod stripe_count.
struct StripeLayout {
  enum class Source : std::uint8_t {
    pretended,    ///< ONECAST_PRETEND_STRIPES
    lustre,       ///< the file's attribute lustre.lov
    file_system,  ///< GPFS or BeeGFS: the block size that it states
    option,       ///< the caller says so
    assumed,      ///< an ordinary file system
  };

  std::uint64_t stripe_size = kAssumedStripe;  ///< bytes, not 0
  std::uint32_t stripe_count = 0;              ///< 0: not known
  Source source = Source::assumed;

  /// A part at the start of the file with another striping. In all parts, stripes are counted from
  /// the start of the file.
  struct Front {
    std::uint64_t end = 0;  ///< 0: there is none
    std::uint64_t stripe_size = 0;
    std::uint32_t stripe_count = 0;

    bool operator==(const Front&) const = default;
  };
  std::array<Front, 6> fronts = {};  ///< in the order of the file

  static constexpr std::uint64_t kAssumedStripe = std::uint64_t{1} << 20U;
  static constexpr std::uint64_t kLargestStripe = std::uint64_t{1} << 40U;
  bool operator==(const StripeLayout&) const = default;
  /// True if the layout was found, or asked for.
  [[nodiscard]] bool is_known() const { return source != Source::assumed; }
};

/// The striping that a user asks for at creation, and that is assumed if the file system tells
/// none. 0: no wish.
struct StripeOptions {
  std::uint64_t stripe_size = 0;
  std::uint32_t stripe_count = 0;
  /// Bytes at the start of a new file that should lie on one target.
  std::uint64_t front = 0;

  bool operator==(const StripeOptions&) const = default;
};

}  // namespace onecast::stripes
