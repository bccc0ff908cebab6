#pragma once

#include "elements/section.hpp"

/// Elements written into a section that exists, inside its range or beyond: it then grows, and
/// elements between the old ones and the new ones get fillers. All ranks write equally; what exists
/// is read in collective calls.
namespace onecast::cgns {

/// Elements [start, end] by number, of a fixed size. @param type of the entries: I4 or I8
void write_elements(const Section& section, std::int64_t start, std::int64_t end, ValueType type,
                    const void* entries);
/// Elements with offsets. If their entries take more room or less than before, what follows moves.
/// @param offsets of the elements, and the end of the last one
void write_elements_with_offsets(const Section& section, std::int64_t start, std::int64_t end,
                                 const std::vector<std::int64_t>& offsets,
                                 const std::vector<std::int64_t>& entries);

}  // namespace onecast::cgns
