#include <array>

#include "api/locations.hpp"

using namespace onecast::cgns;

namespace {

constexpr const char* kBoundaryName = "BCRegionName";
constexpr const char* kConnectivityName = "GridConnectivityRegionName";

Node& subregion_in(Node& zone, int index) { return child_at(zone, Label::ZoneSubRegion, index); }

int length_of(Node& subregion, const char* name) {
  Node* text = subregion.find(name, Label::Descriptor);
  return text == nullptr ? 0 : static_cast<int>(read_text(*text).size());
}

void give_region(Node& subregion, const char* name, char* out) {
  Node* text = subregion.find(name, Label::Descriptor);
  if (text == nullptr) throw Failure(subregion.path() + " has no " + name);
  give_text(read_text(*text), out);
}

Node& create_subregion(Node& zone, const char* name, int dimension, int* index) {
  return create(zone, name, Label::ZoneSubRegion,
                Value::numbers(std::span<const int>(std::array{dimension})), index);
}

void check_dimension(Node& zone, int dimension) {
  const int highest = cell_dimension(*zone.parent());
  if (dimension < 1 || dimension > highest)
    throw failure("the dimension ", dimension, " of a subregion is not 1..", highest);
}

/// Creates a subregion that is the region of a boundary condition or connectivity.
void write_region(OpenFile& file, int base, int zone_index, const char* name, int dimension,
                  const char* kind, const char* region, int* index) {
  Node& zone = zone_at(file, base, zone_index);
  check_dimension(zone, dimension);
  if (region == nullptr || *region == '\0')
    throw Failure(std::string(kind) + ", the name of the region, is empty");
  create(create_subregion(zone, name, dimension, index), kind, Label::Descriptor,
         Value::text(region));
}

}  // namespace

extern "C" {

int cg_nsubregs(int fn, int B, int Z, int* nsubreg) {
  return guarded(__func__,
                 [&] { *nsubreg = count(zone_at(for_reading(fn), B, Z), Label::ZoneSubRegion); });
}

int cg_subreg_info(int fn, int B, int Z, int S, char* regname, int* dimension,
                   GridLocation_t* location, PointSetType_t* ptset_type, cgsize_t* npnts,
                   int* bcname_len, int* gcname_len) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    Node& subregion = subregion_in(zone, S);
    *dimension = read_numbers<std::int32_t>(subregion, 1).front();
    *location = location_of(subregion);
    give_points_info(subregion, index_dimension(zone), ptset_type, npnts);
    *bcname_len = length_of(subregion, kBoundaryName);
    *gcname_len = length_of(subregion, kConnectivityName);
    give_name(subregion, regname);
  });
}

int cg_subreg_ptset_read(int fn, int B, int Z, int S, cgsize_t* pnts) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    read_points(*required_points(subregion_in(zone, S), index_dimension(zone)).node, pnts);
  });
}

int cg_subreg_bcname_read(int fn, int B, int Z, int S, char* bcname) {
  return guarded(__func__, [&] {
    give_region(subregion_in(zone_at(for_reading(fn), B, Z), S), kBoundaryName, bcname);
  });
}

int cg_subreg_gcname_read(int fn, int B, int Z, int S, char* gcname) {
  return guarded(__func__, [&] {
    give_region(subregion_in(zone_at(for_reading(fn), B, Z), S), kConnectivityName, gcname);
  });
}

int cg_subreg_ptset_write(int fn, int B, int Z, const char* regname, int dimension,
                          GridLocation_t location, PointSetType_t ptset_type, cgsize_t npnts,
                          const cgsize_t* pnts, int* S) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_writing(fn), B, Z);
    check_dimension(zone, dimension);
    check_points({ptset_type, npnts, pnts});
    // A subregion of surfaces is at faces of a zone, one of lines at edges.
    check_location(location, dimension + 1, zone);
    Node& subregion = create_subregion(zone, regname, dimension, S);
    write_points(subregion, index_dimension(zone), {ptset_type, npnts, pnts});
    write_location(subregion, location);
  });
}

int cg_subreg_bcname_write(int fn, int B, int Z, const char* regname, int dimension,
                           const char* bcname, int* S) {
  return guarded(__func__, [&] {
    write_region(for_writing(fn), B, Z, regname, dimension, kBoundaryName, bcname, S);
  });
}

int cg_subreg_gcname_write(int fn, int B, int Z, const char* regname, int dimension,
                           const char* gcname, int* S) {
  return guarded(__func__, [&] {
    write_region(for_writing(fn), B, Z, regname, dimension, kConnectivityName, gcname, S);
  });
}

}  // extern "C"
