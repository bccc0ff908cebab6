#pragma once

#include "api/array_family.hpp"

/// The coordinates of a zone, for cg_coord_ and cgp_coord_ functions.
namespace onecast::cgns {

/// The holder of new coordinates: GridCoordinates, which is created if it is missing.
ArrayHolder grid_for_writing(int fn, int base, int zone);
/// The holder of coordinates. Throws Failure (node not found) if the zone has none.
ArrayHolder grid_for_reading(int fn, int base, int zone);
/// Throws Failure unless the type is a real number.
void check_coordinate_type(DataType_t type);

/// Read or write the bounding box: the lowest and highest coordinates, [physical dimension, 2],
/// which are the value of the node that holds the coordinates. Reading throws Failure (node not
/// found) if there is none; writing a null box writes nothing.
void read_bounding_box(Node& grid, DataType_t type, void* box);
void write_bounding_box(Node& grid, DataType_t type, const void* box);

}  // namespace onecast::cgns
