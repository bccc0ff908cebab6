#pragma once

#include <algorithm>

#include "elements/section.hpp"

/// New sections, for cg_ and cgp_ functions.
namespace onecast::cgns {

/// What the functions that create a section are given.
struct NewSection {
  const char* name;
  ElementType_t type;
  std::int64_t start, end;
  int last_boundary;
  /// The type of all numbers in the section: I4 or I8.
  ValueType stored = kSizeType;

  /// Right if create_section finds no fault.
  [[nodiscard]] std::uint64_t count() const {
    return static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start) + 1;
  }
};

/// The fewest entries of a section: what NGON_n, NFACE_n and MIXED take at least for an element.
std::uint64_t fewest_entries(const NewSection& section);

/// Creates a section. Null entries: the arrays lie in one piece, and are written later; null
/// offsets too, for a type that has them.
/// @param entries,offsets of the stored type @param count of the entries
Node& create_section(OpenFile& file, int base, int zone, const NewSection& section,
                     const void* entries, std::uint64_t count, const void* offsets, int* index);

/// Entries of elements that are not written yet: 0, in MIXED NODE 0; offsets as if each had two.
void initialize(const Section& section);

/// Writes all numbers of an array, all ranks equally; `number(i)` is the one of index i.
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
