#pragma once

#include "api/section.hpp"

/// The parents of elements: the two cells beside a face, and the face's positions in them.
namespace onecast::cgns {

inline constexpr const char* kParents = "ParentElements";
inline constexpr const char* kPositions = "ParentElementsPosition";

enum class ParentPart : std::uint8_t { elements, positions };
inline constexpr ParentPart kParentParts[] = {ParentPart::elements, ParentPart::positions};

/// Whether cg_elements_read gives parents.
bool has_parents(const Section& section);
/// Two numbers for each element: those of all elements for the first cell, then for the second.
void read_parents(const Section& section, Interval elements, ParentPart part, ValueType type,
                  void* out);
/// Parents and positions, if there are both.
void read_all_parents(const Section& section, Interval elements, cgsize_t* out);

/// Writes the parents of all elements, all ranks equally: parents, then positions.
void write_parents(const Section& section, const cgsize_t* numbers);

/// The name of the array of the part, and a box of it.
const char* name_of(ParentPart part);
Box parent_box(Interval elements);
/// Whether an array has two numbers for each element.
bool has_shape_of_parents(Node& array, const Section& section);
/// Divides the ParentData of older versions into two arrays.
void split_parent_data(const Section& section);

}  // namespace onecast::cgns
