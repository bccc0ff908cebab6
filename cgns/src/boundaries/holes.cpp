#include "api/locations.hpp"
#include "boundaries/interfaces_of.hpp"

using namespace onecast::cgns;

namespace {

/// Returns the ranges of a hole, or its list; empty if it has neither.
std::vector<Node*> point_sets_of(Node& hole) {
  std::vector<Node*> sets = hole.children(Label::IndexRange);
  if (sets.empty()) sets = hole.children(Label::IndexArray);
  return sets;
}

void check_hole(PointSetType_t type, int sets, const NewPoints& points) {
  if (type != PointRange && type != PointList)
    throw Failure("a hole is given as PointRange or PointList");
  const bool fits = type == PointList ? sets == 1 && points.count >= 0
                                      : sets >= 1 && points.count == 2 * cgsize_t{sets};
  if (!fits)
    throw failure("a hole is one PointList, or PointRanges of 2 points each, not ", sets,
                  " sets of ", points.count, " points");
  if (type == PointRange && points.indices == nullptr)
    throw Failure("the points of a PointRange are NULL");
}

void write_hole_points(Node& hole, int dimensions, int sets, const NewPoints& points) {
  if (points.type == PointList) {
    if (points.count > 0) write_points(hole, dimensions, points);
    return;
  }
  for (int set = 0; set < sets; ++set)
    write_indices(hole, ("PointRange" + std::to_string(set + 1)).c_str(), Label::IndexRange,
                  dimensions, 2, points.indices + 2 * cgsize_t{dimensions} * set);
}

}  // namespace

extern "C" {

int cg_nholes(int fn, int B, int Z, int* nholes) {
  return guarded(__func__,
                 [&] { *nholes = count_in_active(for_reading(fn), B, Z, Label::OversetHoles); });
}

int cg_hole_info(int fn, int B, int Z, int Ii, char* holename, GridLocation_t* location,
                 PointSetType_t* ptset_type, int* nptsets, cgsize_t* npnts) {
  return guarded(__func__, [&] {
    OpenFile& file = for_reading(fn);
    Node& hole = in_active(file, B, Z, Label::OversetHoles, Ii);
    const int dimensions = index_dimension(zone_at(file, B, Z));
    cgsize_t points = 0;
    const auto sets = point_sets_of(hole);
    for (Node* set : sets) points += count_of_points(*set, dimensions);
    *location = location_of(hole);
    *ptset_type = sets.empty()                                 ? PointSetTypeNull
                  : sets.front()->label() == Label::IndexRange ? PointRange
                                                               : PointList;
    *nptsets = static_cast<int>(sets.size());
    *npnts = points;
    give_name(hole, holename);
  });
}

int cg_hole_read(int fn, int B, int Z, int Ii, cgsize_t* pnts) {
  return guarded(__func__, [&] {
    OpenFile& file = for_reading(fn);
    const int dimensions = index_dimension(zone_at(file, B, Z));
    for (Node* set : point_sets_of(in_active(file, B, Z, Label::OversetHoles, Ii))) {
      const cgsize_t points = count_of_points(*set, dimensions);
      read_points(*set, pnts);
      pnts += points * dimensions;
    }
  });
}

int cg_hole_id(int fn, int B, int Z, int Ii, double* hole_id) {
  return guarded(__func__, [&] {
    *hole_id = session().ids.id_of(in_active(for_reading(fn), B, Z, Label::OversetHoles, Ii));
  });
}

int cg_hole_write(int fn, int B, int Z, const char* holename, GridLocation_t location,
                  PointSetType_t ptset_type, int nptsets, cgsize_t npnts, const cgsize_t* pnts,
                  int* Ii) {
  return guarded(__func__, [&] {
    OpenFile& file = for_writing(fn);
    Node& zone = zone_at(file, B, Z);
    const NewPoints points{ptset_type, npnts, pnts};
    if (location != Vertex && location != CellCenter)
      throw Failure("the location of a hole is neither Vertex nor CellCenter");
    check_hole(ptset_type, nptsets, points);
    const int dimensions = index_dimension(zone);
    checked_name(holename);
    Node& hole = create(active_set_for_writing(file, zone), holename, Label::OversetHoles, {}, Ii);
    write_location(hole, location);
    write_hole_points(hole, dimensions, nptsets, points);
  });
}

}  // extern "C"
