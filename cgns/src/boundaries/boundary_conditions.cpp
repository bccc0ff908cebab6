#include <algorithm>

#include "api/locations.hpp"
#include "boundaries/boundary_at.hpp"

using namespace onecast::cgns;

namespace onecast::cgns {

Node& boundary_at(OpenFile& file, int base, int zone_index, int index) {
  Node& zone = zone_at(file, base, zone_index);
  Node* all = single(zone, Label::ZoneBC);
  if (all == nullptr)
    throw Failure(zone.path() + " has no boundary conditions", Failure::kNodeNotFound);
  return child_at(*all, Label::BC, index);
}

}  // namespace onecast::cgns

namespace {

constexpr const char* kNormalList = "InwardNormalList";
constexpr const char* kNormalIndex = "InwardNormalIndex";

/// Converts points to the form that is written: elements of the boundary become points at its
/// faces.
NewPoints as_written(const NewPoints& given) {
  if (given.type == ElementRange) return {PointRange, given.count, given.indices};
  if (given.type == ElementList) return {PointList, given.count, given.indices};
  return given;
}

/// The normals, one for each point.
Node* normals_of(Node& boundary) { return boundary.find(kNormalList, Label::IndexArray); }

cgsize_t size_of_normals(OpenFile& file, int base, Node& boundary, int dimensions) {
  Node* normals = normals_of(boundary);
  if (normals == nullptr) return 0;
  const auto physical = static_cast<std::uint64_t>(physical_dimension(base_at(file, base)));
  const std::uint64_t size = element_count(normals->dims());
  if (size != physical * required_points(boundary, dimensions).size)
    throw Failure(normals->path() + " does not hold one normal for each point");
  return as_size(size);
}

/// The direction of all normals; zeros if the condition has none.
std::vector<int> normal_index_of(Node& boundary, int dimensions) {
  const auto size = static_cast<std::size_t>(dimensions);
  Node* index = boundary.find(kNormalIndex);
  return index == nullptr ? std::vector<int>(size) : read_numbers<std::int32_t>(*index, size);
}

void check_is_new(OpenFile& file, Node& boundary, const char* name) {
  if (file.mode == Mode::write && boundary.find(name) != nullptr)
    throw Failure(boundary.path() + " has an " + name + " already");
}

}  // namespace

extern "C" {

int cg_nbocos(int fn, int B, int Z, int* nbocos) {
  return guarded(__func__, [&] {
    Node* all = single(zone_at(for_reading(fn), B, Z), Label::ZoneBC);
    *nbocos = all == nullptr ? 0 : count(*all, Label::BC);
  });
}

int cg_boco_info(int fn, int B, int Z, int BC, char* boconame, BCType_t* bocotype,
                 PointSetType_t* ptset_type, cgsize_t* npnts, int* NormalIndex,
                 cgsize_t* NormalListSize, DataType_t* NormalDataType, int* ndataset) {
  return guarded(__func__, [&] {
    OpenFile& file = for_reading(fn);
    Node& boundary = boundary_at(file, B, Z, BC);
    const int dimensions = index_dimension(zone_at(file, B, Z));
    *bocotype = read_enum<BCType_t>(boundary, BCTypeName);
    give_points_info(boundary, dimensions, ptset_type, npnts);
    *NormalListSize = size_of_normals(file, B, boundary, dimensions);
    Node* normals = normals_of(boundary);
    *NormalDataType = normals == nullptr ? DataTypeNull : data_type_of(normals->type());
    if (NormalIndex != nullptr)
      std::ranges::copy(normal_index_of(boundary, dimensions), NormalIndex);
    *ndataset = count(boundary, Label::BCDataSet);
    give_name(boundary, boconame);
  });
}

int cg_boco_read(int fn, int B, int Z, int BC, cgsize_t* pnts, void* NormalList) {
  return guarded(__func__, [&] {
    OpenFile& file = for_reading(fn);
    Node& boundary = boundary_at(file, B, Z, BC);
    const int dimensions = index_dimension(zone_at(file, B, Z));
    size_of_normals(file, B, boundary, dimensions);
    if (pnts != nullptr) read_points(*required_points(boundary, dimensions).node, pnts);
    Node* normals = normals_of(boundary);
    if (normals != nullptr && NormalList != nullptr)
      read_part(*normals, {.stored = all_of(normals->dims()), .memory_type = normals->type()},
                NormalList);
  });
}

int cg_boco_id(int fn, int B, int Z, int BC, double* boco_id) {
  return guarded(__func__,
                 [&] { *boco_id = session().ids.id_of(boundary_at(for_reading(fn), B, Z, BC)); });
}

int cg_boco_write(int fn, int B, int Z, const char* boconame, BCType_t bocotype,
                  PointSetType_t ptset_type, cgsize_t npnts, const cgsize_t* pnts, int* BC) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_writing(fn), B, Z);
    const NewPoints points = as_written({ptset_type, npnts, pnts});
    const auto type = enum_text(bocotype, BCTypeName);
    check_points(points);
    checked_name(boconame);
    const int dimensions = index_dimension(zone);
    const int cells = cell_dimension(*zone.parent());
    Node& boundary =
        create(require(zone, "ZoneBC", Label::ZoneBC), boconame, Label::BC, Value::text(type), BC);
    write_points(boundary, dimensions, points);
    if (points.type != ptset_type) write_location(boundary, boundary_location(cells));
  });
}

int cg_boco_normal_write(int fn, int B, int Z, int BC, const int* NormalIndex, int NormalListFlag,
                         DataType_t NormalDataType, const void* NormalList) {
  return guarded(__func__, [&] {
    OpenFile& file = for_writing(fn);
    Node& zone = zone_at(file, B, Z);
    Node& boundary = boundary_at(file, B, Z, BC);
    const int dimensions = index_dimension(zone);
    const bool has_list = NormalListFlag != 0;
    const bool has_index = NormalIndex != nullptr && zone_type(zone) == Structured;
    if (has_list && NormalDataType != RealSingle && NormalDataType != RealDouble)
      throw Failure("normals are of type RealSingle or RealDouble");
    if (has_list && NormalList == nullptr) throw Failure("the list of normals is NULL");
    if (has_list) check_is_new(file, boundary, kNormalList);
    if (has_index) check_is_new(file, boundary, kNormalIndex);
    if (has_list) {
      const ValueType type = value_type_of(NormalDataType);
      const Dims dims{static_cast<std::uint64_t>(physical_dimension(base_at(file, B))),
                      required_points(boundary, dimensions).size};
      create(boundary, kNormalList, Label::IndexArray,
             {type,
              dims,
              {static_cast<const std::byte*>(NormalList), element_count(dims) * size_of(type)}});
    }
    if (has_index)
      create(boundary, kNormalIndex, Label::IntPerIndex,
             Value::numbers(std::span(NormalIndex, static_cast<std::size_t>(dimensions))));
  });
}

int cg_boco_gridlocation_read(int fn, int B, int Z, int BC, GridLocation_t* location) {
  return guarded(__func__,
                 [&] { *location = location_of(boundary_at(for_reading(fn), B, Z, BC)); });
}

int cg_boco_gridlocation_write(int fn, int B, int Z, int BC, GridLocation_t location) {
  return guarded(__func__, [&] {
    OpenFile& file = for_writing(fn);
    Node& zone = zone_at(file, B, Z);
    Node& boundary = boundary_at(file, B, Z, BC);
    check_location(location, cell_dimension(*zone.parent()), zone);
    create(boundary, "GridLocation", Label::GridLocation,
           Value::text(enum_text(location, GridLocationName)));
  });
}

}  // extern "C"
