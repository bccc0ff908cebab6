#pragma once

#include <algorithm>

#include "elements/section.hpp"

/// New sections, for cg_ and cgp_ functions.
namespace onecast::cgns {

/// The arguments of functions that create a section.
struct NewSection {
  const char* name;
  ElementType_t type;
  std::int64_t start, end;
  int last_boundary;
  /// The type of all numbers in the section: I4 or I8.
  ValueType stored = kSizeType;

  /// The number of elements. Only valid if create_section accepts the section.
  [[nodiscard]] std::uint64_t count() const {
    return static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start) + 1;
  }
};

/// The smallest number of entries of a section with offsets: NGON_n, NFACE_n and MIXED take at
/// least two for each element.
std::uint64_t fewest_entries(const NewSection& section);

/// Creates a section. With null entries, the arrays are contiguous and are written later; for a
/// type with offsets, the offsets are then null, too.
/// @param entries,offsets numbers of the stored type @param count the number of entries
Node& create_section(OpenFile& file, int base, int zone, const NewSection& section,
                     const void* entries, std::uint64_t count, const void* offsets, int* index);

/// Initializes entries of elements that are not written yet: to 0, in MIXED to NODE 0; offsets are
/// those of elements with two entries each.
void initialize(const Section& section);

/// Writes all numbers of an array, equally on all ranks; number(i) returns the one with index i.
template <class Number>
void fill(Node& array, std::uint64_t count, Number&& number) {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 20U;
  std::vector<std::int64_t> block;
  for (std::uint64_t begin = 0; begin < count; begin += block.size()) {
    block.resize(std::min(kBlock, count - begin));
    for (std::uint64_t i = 0; i < block.size(); ++i) block[i] = number(begin + i);
    write_part(array,
               {.stored = box_of({begin, begin + block.size()}), .memory_type = ValueType::I8},
               block.data(), Manner::equally);
  }
}

}  // namespace onecast::cgns
