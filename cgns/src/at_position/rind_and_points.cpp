#include <algorithm>

#include "api/locations.hpp"
#include "api/single_nodes.hpp"

using namespace onecast::cgns;

namespace {

/// The status at a position that has no rind, as in the CGNS library.
int wrong_for_rind() {
  Node& node = session().position.node();
  return nearest(node, Label::Zone) != nullptr ? CG_INCORRECT_PATH : CG_ERROR;
}

/// Throws Failure unless the existing arrays of a node have this rind.
void check_arrays(Node& holder, const Rind& rind) {
  const Label label = holder.label();
  const bool follows_zone = label == Label::GridCoordinates || label == Label::FlowSolution ||
                            label == Label::DiscreteData || label == Label::ArbitraryGridMotion;
  Node* zone = nearest(holder, Label::Zone);
  if (!follows_zone || zone == nullptr || point_set_of(holder, index_dimension(*zone))) return;
  const Dims dims = with_rind(dims_at(*zone, location_of(holder)), rind);
  for (Node* array : holder.children(Label::DataArray))
    if (array->dims() != dims)
      throw Failure(array->path() + " has other dimensions than those planes of rind give it");
}

/// Throws Failure if a node cannot have the location. User-defined data may have any location,
/// except faces of a direction that the zone does not have.
void check_location_at(Node& holder, GridLocation_t location) {
  const std::string text(enum_text(location, GridLocationName));
  Node* zone = nearest(holder, Label::Zone);
  if (holder.label() != Label::UserDefinedData && zone != nullptr)
    check_location(location, cell_dimension(base_of(holder)), *zone);
  else if (zone != nullptr)
    check_direction(location, *zone);
  else if (location == IFaceCenter || location == JFaceCenter || location == KFaceCenter)
    throw Failure(text + " is a location in structured zones only");
}

/// Returns the current node if its points can be replaced. The points of an interface belong to
/// those of its donor, and a hole may have many sets.
Node& position_for_points() {
  Node& here = session().position.node();
  const Label label = here.label();
  const bool may_have_points = named_row(label, "PointList") != nullptr;
  if (!has_indices(here) || (!may_have_points && nearest(here, Label::Zone) == nullptr))
    throw Failure("indices have no dimension at " + here.path(), Failure::kNoIndexDim);
  if (label == Label::GridConnectivity || label == Label::GridConnectivity1to1 ||
      label == Label::OversetHoles)
    throw Failure("the points of " + here.path() + " are written with it");
  Node& node = position_for_writing(Label::IndexArray);
  if (!may_have_points)
    throw Failure("no points stand below " + node.path(), Failure::kIncorrectPath);
  return node;
}

PointSet points_here() {
  Node& node = position_for_reading(Label::IndexArray);
  std::optional<PointSet> points;
  if (has_indices(node)) points = point_set_of(node, index_dimension_at(node));
  const auto ranges = node.children(Label::IndexRange);  // the first one of a hole
  if (!points && !ranges.empty()) points = PointSet{ranges.front(), PointRange, 2, 0};
  if (!points)
    throw Failure(node.path() + " has no points: neither PointRange nor PointList",
                  Failure::kNodeNotFound);
  return *points;
}

}  // namespace

extern "C" {

int cg_rind_read(int* RindData) {
  return guarded(__func__, [&] {
    Node& node = position_for_reading(Label::Rind, wrong_for_rind());
    const auto size = 2 * static_cast<std::size_t>(index_dimension_at(node));
    if (Node* rind = single(node, Label::Rind))
      std::ranges::copy(read_numbers<std::int32_t>(*rind, size), RindData);
    else
      std::fill_n(RindData, size, 0);
  });
}

int cg_rind_write(const int* RindData) {
  return guarded(__func__, [&] {
    Node& node = position_for_writing(Label::Rind, wrong_for_rind());
    if (RindData == nullptr) throw Failure("the planes of rind are NULL");
    const Rind rind(RindData, RindData + 2 * index_dimension_at(node));
    if (std::ranges::min(rind) < 0) throw Failure("a number of rind planes is below 0");
    check_arrays(node, rind);
    create_only(node, Label::Rind, Value::numbers(std::span<const int>(rind)));
  });
}

int cg_gridlocation_read(GridLocation_t* GridLocation) {
  return guarded(__func__,
                 [&] { *GridLocation = location_of(position_for_reading(Label::GridLocation)); });
}

int cg_gridlocation_write(GridLocation_t GridLocation) {
  return guarded(__func__, [&] {
    Node& node = position_for_writing(Label::GridLocation);
    check_location_at(node, GridLocation);
    create_only(node, Label::GridLocation, Value::text(enum_text(GridLocation, GridLocationName)));
  });
}

int cg_ptset_info(PointSetType_t* ptset_type, cgsize_t* npnts) {
  return guarded(__func__, [&] {
    const PointSet points = points_here();
    *ptset_type = points.type;
    *npnts = points.count;
  });
}

int cg_ptset_read(cgsize_t* pnts) {
  return guarded(__func__, [&] { read_points(*points_here().node, pnts); });
}

int cg_ptset_write(PointSetType_t ptset_type, cgsize_t npnts, const cgsize_t* pnts) {
  return guarded(__func__, [&] {
    Node& node = position_for_points();
    const NewPoints points{ptset_type, npnts, pnts};
    const int dimensions = index_dimension_at(node);
    check_points(points);
    if (const auto old = point_set_of(node, dimensions)) {
      if (node.tree().existing() == Existing::refuse)
        throw Failure("there are points already: " + old->node->path());
      node.tree().remove(*old->node);
    }
    write_points(node, dimensions, points);
  });
}

}  // extern "C"
