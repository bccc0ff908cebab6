#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "format/objects/dataspace_message.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// H5S_SEL_NONE, H5S_SEL_POINTS, H5S_SEL_HYPER, H5S_SEL_ALL.
enum class SelectionType : std::uint32_t { none = 0, points = 1, hyperslabs = 2, all = 3 };

/// "VIII.A. Dataspace Encoding": Dataspace Selection, with the Selection Info of all types: version
/// 1 for none and all, versions 1 and 2 for points, versions 1 to 3 for hyperslabs.
struct DataspaceSelection {
  static constexpr const char* kTitle = "Dataspace Selection";
  static constexpr std::uint8_t kRegular = 0x01;

  SelectionType type = SelectionType::all;
  std::uint32_t version = 1;
  std::uint8_t flags = 0;
  std::uint8_t encode_size = 4;  ///< of what follows Rank; stored from version 2 (points) or 3
                                 ///< (hyperslabs) on
  std::uint32_t length = 0;      ///< "from the field Rank to the end"; ignored when read
  std::uint32_t rank = 0;
  /// The coordinates of points; or Start, Stride, Count and Block of each dimension of a regular
  /// hyperslab; or the Starting Offsets and then the Ending Offsets of each block.
  std::vector<std::uint64_t> numbers;

  [[nodiscard]] bool is_regular() const { return (flags & kRegular) != 0; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u32("Selection Type", s.type);
    v.check(s.type <= SelectionType::all, "Selection Type", "is none of 0 to 3");
    v.u32("Version", s.version);
    if (s.type == SelectionType::none || s.type == SelectionType::all) {
      v.versions("Version", s.version, 1, 1);
      return v.reserved("Reserved", 8);
    }
    if (s.type == SelectionType::points) {
      v.versions("Version", s.version, 1, 2);
      if (s.version == 1) v.reserved("Reserved", 4);
    } else {
      v.versions("Version", s.version, 1, 3);
      if (s.version == 1) v.reserved("Reserved", 4);
      if (s.version > 1) v.u8("Flags", s.flags);
    }
    const bool has_encode_size = s.version == (s.type == SelectionType::points ? 2U : 3U);
    if (has_encode_size) {
      v.u8("Encode Size", s.encode_size);
      v.check(s.encode_size == 2 || s.encode_size == 4 || s.encode_size == 8, "Encode Size",
              "is none of 2, 4 and 8");
    } else {
      v.u32("Length", s.length);
      if constexpr (V::kDecodes) s.encode_size = s.version == 1 ? 4 : 8;
    }
    v.u32("Rank", s.rank);
    v.check(s.rank >= 1 && s.rank <= kMaxRank, "Rank", "is none of 1 to 32");
    const auto number = [&](auto& visitor, auto& value) {
      visitor.uint("Number", value, s.encode_size);
    };
    if (s.is_regular()) {
      v.list("Start, Stride, Count, Block", s.numbers, std::uint64_t{4} * s.rank, s.encode_size,
             number);
      return;
    }
    const bool points = s.type == SelectionType::points;
    const std::uint64_t each = (points ? 1U : 2U) * std::uint64_t{s.rank};
    std::uint64_t count = s.numbers.size() / each;
    v.uint(points ? "Num Points" : "Num Blocks", count, s.encode_size);
    v.check(count <= UINT64_MAX / each, points ? "Num Points" : "Num Blocks", "is too large");
    v.list(points ? "Point #n: coordinate #u" : "Starting and Ending Offset", s.numbers,
           count * each, s.encode_size, number);
  }
};

}  // namespace onecast::format
