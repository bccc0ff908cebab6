#pragma once

#include "elements/section.hpp"

/// The parents of elements: the two cells beside a face, and the face's positions in them.
namespace onecast::cgns {

enum class ParentPart : std::uint8_t { elements, positions };
inline constexpr ParentPart kParentParts[] = {ParentPart::elements, ParentPart::positions};

/// Whether cg_elements_read gives parents.
bool has_parents(const Section& section);

/// Where a part of the parents of some elements is stored: two numbers for each element, those of
/// all elements for the first cell, then for the second.
struct ParentPlace {
  Node& array;
  Box box;
};
/// Failure (node not found) if the section has none.
ParentPlace parents_of(const Section& section, Interval elements, ParentPart part);
/// Parents and positions, if there are both.
void read_all_parents(const Section& section, Interval elements, cgsize_t* out);

/// Writes the parents of all elements, all ranks equally: parents, then positions.
void write_parents(const Section& section, const cgsize_t* numbers);

/// The name of the array of a part.
const char* name_of(ParentPart part);
/// Whether an array has two numbers for each element.
bool has_shape_of_parents(Node& array, const Section& section);
/// Divides the ParentData of older versions into two arrays.
void split_parent_data(const Section& section);

}  // namespace onecast::cgns
