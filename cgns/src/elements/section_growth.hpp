#pragma once

#include "elements/section.hpp"

/// Writes of elements to an existing section, inside of its range or outside of it. In the second
/// case the section grows, and elements between the old and the new ones get fillers. All ranks
/// write equally; existing elements are read in collective calls.
namespace onecast::cgns {

/// Writes the elements with numbers [start, end], of a fixed size. @param type the type of the
/// entries: I4 or I8
void write_elements(const Section& section, std::int64_t start, std::int64_t end, ValueType type,
                    const void* entries);
/// Writes elements with offsets. If the number of their entries changes, the following entries
/// move.
/// @param offsets the offsets of the elements, and the end of the last one
void write_elements_with_offsets(const Section& section, std::int64_t start, std::int64_t end,
                                 const std::vector<std::int64_t>& offsets,
                                 const std::vector<std::int64_t>& entries);

}  // namespace onecast::cgns
