#pragma once

#include <cstdint>
#include <vector>

#include "elements/section.hpp"

/// Sections that versions before 4.0 wrote. 3.0 had other numbers for some types of elements;
/// before 4.0 a polygon was stored as its number of nodes and its nodes, and there were no offsets;
/// before 3.1 the parents stood in one array, ParentData.
namespace onecast::cgns {

/// The number that a type of elements has now.
int current_type(Tree& tree, int number);
/// Whether the connectivity of a section without offsets has to be converted.
bool is_converted(const Section& section);

struct Connectivity {
  std::vector<std::int64_t> entries, offsets;
};
/// The connectivity as version 4.0 has it. Kept with the section, so that it is converted once.
const Connectivity& converted(const Section& section);

/// Brings all sections of a file to the form of 4.0, and raises its version, if it is too low for
/// new sections: for types of elements with offsets it must be 4.0, for others 3.1. Nothing is
/// changed if a section is damaged.
void convert_sections(OpenFile& file, bool with_offsets);

}  // namespace onecast::cgns
