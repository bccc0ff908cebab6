#include "api/locations.hpp"

namespace onecast::cgns {

namespace {

bool is_in_one_direction(GridLocation_t location) {
  return location == IFaceCenter || location == JFaceCenter || location == KFaceCenter;
}

/// The least dimension of a region that may have such points; 0: no region may.
int least_dimension(GridLocation_t location) {
  if (location == Vertex || location == CellCenter) return 1;
  if (location == EdgeCenter) return 2;
  return location == FaceCenter || is_in_one_direction(location) ? 3 : 0;
}

}  // namespace

ZoneType_t zone_type(Node& zone) {
  Node* node = single(zone, Label::ZoneType);
  return node == nullptr ? Structured : read_enum<ZoneType_t>(*node, ZoneTypeName);
}

GridLocation_t location_of(Node& node) {
  Node* location = single(node, Label::GridLocation);
  return location == nullptr ? Vertex : read_enum<GridLocation_t>(*location, GridLocationName);
}

ArrayHolder data_holder(Node& zone, Node& node) {
  if (const auto points = point_set_of(node, index_dimension(zone)))
    return {node, {points->size}, {}};
  const Rind rind = rind_of(node);
  return {node, with_rind(dims_at(zone, location_of(node)), rind), rind};
}

void check_direction(GridLocation_t location, Node& zone) {
  if (is_in_one_direction(location) && zone_type(zone) != Structured)
    throw Failure("the location " + std::string(enum_text(location, GridLocationName)) +
                  " is for structured zones only");
}

void check_location(GridLocation_t location, int dimension, Node& zone) {
  const auto text = enum_text(location, GridLocationName);
  const int least = least_dimension(location);
  check_direction(location, zone);
  if (least == 0) throw Failure("values do not lie at the location " + std::string(text));
  if (dimension < least)
    throw failure("a region of ", dimension, " dimensions has no points at ", text);
}

GridLocation_t boundary_location(int dimension) {
  if (dimension == 3) return FaceCenter;
  return dimension == 2 ? EdgeCenter : Vertex;
}

void write_location(Node& parent, GridLocation_t location) {
  if (location == Vertex) return;
  create(parent, "GridLocation", Label::GridLocation,
         Value::text(enum_text(location, GridLocationName)));
}

Node& create_at_points(Node& zone, Label label, const char* name, GridLocation_t location,
                       const NewPoints& points, int* index) {
  check_points(points);
  check_location(location, cell_dimension(*zone.parent()), zone);
  Node& node = create(zone, name, label, {}, index);
  write_points(node, index_dimension(zone), points);
  write_location(node, location);
  return node;
}

}  // namespace onecast::cgns
