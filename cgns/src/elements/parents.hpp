#pragma once

#include "elements/section.hpp"

/// The parents of elements: the two cells on both sides of a face, and the face's positions in
/// them.
namespace onecast::cgns {

enum class ParentPart : std::uint8_t { elements, positions };
inline constexpr ParentPart kParentParts[] = {ParentPart::elements, ParentPart::positions};

/// True if cg_elements_read returns parents.
bool has_parents(const Section& section);

/// The array and the box that store a part of the parents of some elements: two numbers for each
/// element, first those of all elements for the first cell, then for the second.
struct ParentPlace {
  Node& array;
  Box box;
};
/// Throws Failure (node not found) if the section has no parents.
ParentPlace parents_of(const Section& section, Interval elements, ParentPart part);
/// Reads the parents and the positions, if both exist.
void read_all_parents(const Section& section, Interval elements, cgsize_t* out);

/// Writes the parents of all elements, equally on all ranks: parents, then positions.
void write_parents(const Section& section, const cgsize_t* numbers);

/// The name of the array for a part.
const char* name_of(ParentPart part);
/// True if an array has two numbers for each element.
bool has_shape_of_parents(Node& array, const Section& section);
/// Splits the ParentData of older versions into two arrays.
void split_parent_data(const Section& section);

}  // namespace onecast::cgns
