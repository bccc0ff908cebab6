#pragma once

#include <cstdint>
#include <vector>

#include "elements/section.hpp"

/// Sections that versions before 4.0 wrote. Version 3.0 had other numbers for some types of
/// elements. Before 4.0, a polygon was stored as its number of nodes followed by its nodes, and
/// there were no offsets. Before 3.1, the parents were in one array, ParentData.
namespace onecast::cgns {

/// Returns the current number of a type of elements.
int current_type(Tree& tree, int number);
/// True if the connectivity of a section without offsets has to be converted.
bool is_converted(const Section& section);

struct Connectivity {
  std::vector<std::int64_t> entries, offsets;
};
/// Returns the connectivity in the form of version 4.0. It is kept with the section, so that it is
/// converted once.
const Connectivity& converted(const Section& section);

/// If the version of a file is too low for new sections (4.0 is needed for types of elements with
/// offsets, 3.1 for others), converts all sections to the form of 4.0 and raises the version.
/// Changes nothing if a section is damaged.
void convert_sections(OpenFile& file, bool with_offsets);

}  // namespace onecast::cgns
