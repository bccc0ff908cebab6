#pragma once

#include "api/array_family.hpp"

/// Arrays below the current position, for cg_array_ and cgp_array_ functions.
namespace onecast::cgns {

Node& array_at_position(int index);
/// The holder of a new array of that name, and its extents.
ArrayHolder new_array_at_position(const char* name, int dimensions, const cgsize_t* extents);
/// The rind of the node in which an array lies, if it fits the array.
Rind rind_for(Node& holder, const Dims& dims);

}  // namespace onecast::cgns
