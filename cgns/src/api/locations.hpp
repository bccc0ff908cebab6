#pragma once

#include "api/array_family.hpp"
#include "api/point_sets.hpp"

/// The locations of values in a zone: vertices, cells, faces or edges.
namespace onecast::cgns {

/// The type of a zone; Structured if the zone has no ZoneType.
ZoneType_t zone_type(Node& zone);
/// The location of a node; Vertex if it has no GridLocation.
GridLocation_t location_of(Node& node);
/// Returns the holder for a node of a zone that may have a location, rind and points. Its arrays
/// have as many elements as it has points; without points, they have the extents of its location,
/// with the rind.
ArrayHolder data_holder(Node& zone, Node& node);

/// Throws Failure if the location is faces of one direction and the zone is not structured.
void check_direction(GridLocation_t location, Node& zone);
/// Throws Failure unless points in a region of that dimension may have the location.
void check_location(GridLocation_t location, int dimension, Node& zone);
/// Returns the location of elements that bound cells of that dimension.
GridLocation_t boundary_location(int dimension);
/// Creates GridLocation; does nothing for Vertex.
void write_location(Node& parent, GridLocation_t location);

/// Creates a node of a zone whose values lie at points.
Node& create_at_points(Node& zone, Label label, const char* name, GridLocation_t location,
                       const NewPoints& points, int* index);

}  // namespace onecast::cgns
