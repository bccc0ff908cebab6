#pragma once

#include "api/array_family.hpp"
#include "api/point_sets.hpp"

/// Where values of a zone lie: at vertices, cells, faces or edges.
namespace onecast::cgns {

/// Structured if the zone does not say it.
ZoneType_t zone_type(Node& zone);
/// Vertex if the node has no GridLocation.
GridLocation_t location_of(Node& node);
/// A node of a zone that may have a location, rind and points. Its arrays have as many elements as
/// it has points; without points, the extents of its location, with the rind.
ArrayHolder data_holder(Node& zone, Node& node);

/// Failure unless faces of one direction, if it is these, are in a structured zone.
void check_direction(GridLocation_t location, Node& zone);
/// Failure unless points in a region of that dimension may have the location.
void check_location(GridLocation_t location, int dimension, Node& zone);
/// The location of elements that bound cells of that dimension.
GridLocation_t boundary_location(int dimension);
/// Creates GridLocation, but not for Vertex.
void write_location(Node& parent, GridLocation_t location);

/// Creates a node of a zone whose values lie at points.
Node& create_at_points(Node& zone, Label label, const char* name, GridLocation_t location,
                       const NewPoints& points, int* index);

}  // namespace onecast::cgns
