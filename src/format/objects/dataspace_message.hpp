#pragma once

#include <array>
#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

inline constexpr std::size_t kMaxRank = 32;

enum class DataspaceType : std::uint8_t { scalar = 0, simple = 1, null = 2 };

/// "IV.A.2.b. The Dataspace Message", versions 1 and 2.
struct DataspaceMessage {
  static constexpr const char* kTitle = "Dataspace Message";
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};
  static constexpr std::uint8_t kHasMaximum = 0x01;
  static constexpr std::uint8_t kHasPermutation = 0x02;

  std::uint8_t version = 2;
  std::uint8_t rank = 0;
  std::uint8_t flags = 0;
  DataspaceType type = DataspaceType::scalar;
  std::array<std::uint64_t, kMaxRank> sizes;  ///< the first `rank` are set, here and below
  std::array<std::uint64_t, kMaxRank> maximum_sizes;

  [[nodiscard]] bool has_maximum() const { return (flags & kHasMaximum) != 0; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Version", s.version);
    v.versions("Version", s.version, 1, 2);
    v.u8("Dimensionality", s.rank);
    v.check(s.rank <= kMaxRank, "Dimensionality", "is more than 32");
    v.u8("Flags", s.flags);
    if (s.version == 1) {
      v.require((s.flags & kHasPermutation) == 0, "Flags", "permutation indices");
      v.reserved("Reserved", 5);
      if constexpr (V::kDecodes)
        s.type = s.rank == 0 ? DataspaceType::scalar : DataspaceType::simple;
    } else {
      v.u8("Type", s.type);
      v.check(s.type <= DataspaceType::null, "Type", "is none of 0, 1 and 2");
      v.check(s.rank == 0 || s.type == DataspaceType::simple, "Type",
              "has dimensions but is not simple");
    }
    for (std::size_t i = 0; i < s.rank; ++i) v.length("Dimension #n Size", s.sizes[i]);
    for (std::size_t i = 0; i < s.rank; ++i) {
      if (s.has_maximum()) {
        v.length("Dimension #n Maximum Size", s.maximum_sizes[i]);
        if constexpr (V::kDecodes) widen_unlimited(s.maximum_sizes[i], v.file().size_of_lengths);
        v.check(s.maximum_sizes[i] >= s.sizes[i], "Dimension #n Maximum Size", "is below the size");
      } else if constexpr (V::kDecodes) {
        s.maximum_sizes[i] = s.sizes[i];
      }
    }
  }

 private:
  /// "Unlimited" is all bits set in "size of lengths" bytes.
  static void widen_unlimited(std::uint64_t& size, unsigned width) {
    if (width < 8 && size == (std::uint64_t{1} << (8 * width)) - 1) size = kUnlimited;
  }
};

}  // namespace onecast::format
