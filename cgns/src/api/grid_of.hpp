#pragma once

#include "api/array_family.hpp"

/// The coordinates of a zone, for cg_coord_ and cgp_coord_ functions.
namespace onecast::cgns {

/// Where new coordinates go: GridCoordinates, which is created where it is missing.
ArrayHolder grid_for_writing(int fn, int base, int zone);
/// Failure (node not found) if the zone has no coordinates.
ArrayHolder grid_for_reading(int fn, int base, int zone);
/// Coordinates are real numbers.
void check_coordinate_type(DataType_t type);

/// The lowest and highest coordinates, [physical dimension, 2], which are the value of a node with
/// coordinates. Reading: Failure (node not found) if it has none. Writing: a null box is none.
void read_bounding_box(Node& grid, DataType_t type, void* box);
void write_bounding_box(Node& grid, DataType_t type, const void* box);

}  // namespace onecast::cgns
