
#include "api/locations.hpp"
#include "boundaries/interfaces_of.hpp"

using namespace onecast::cgns;

namespace {

/// The points of the donor zone: a list with one of two names.
struct Donors {
  Node* node;
  PointSetType_t type;
};

Donors donors_in(Node& interface) {
  if (Node* points = interface.find("PointListDonor", Label::IndexArray))
    return {points, PointListDonor};
  if (Node* cells = interface.find("CellListDonor", Label::IndexArray))
    return {cells, CellListDonor};
  return {nullptr, PointSetTypeNull};
}

/// The number of indices of a point of the donor.
int donor_dimensions(Node& interface, ZoneType_t type) {
  return type == Structured ? cell_dimension(*interface.parent()->parent()->parent()) : 1;
}

cgsize_t count_of_donors(Node& interface, Node& donors) {
  const int dimensions = donor_dimensions(interface, zone_type(donor_of(interface)));
  const Dims dims = donors.dims();
  if (dims.size() != 2 || dims[0] > static_cast<std::uint64_t>(dimensions))
    throw failure(donors.path(), " does not hold points of ", dimensions, " indices");
  return as_size(dims[1]);
}

/// An interface that is to be written.
struct NewInterface {
  GridLocation_t location;
  GridConnectivityType_t type;
  NewPoints points;
  ZoneType_t donor_zone;
  PointSetType_t donor_type;
  cgsize_t donor_count;
  const cgsize_t* donors;
};

void check_interface_location(GridLocation_t location, GridConnectivityType_t type, Node& zone) {
  const auto text = enum_text(location, GridLocationName);
  check_direction(location, zone);
  const bool is_abutting = type == Abutting || type == Abutting1to1;
  const bool is_allowed = location == Vertex || location == CellCenter ||
                          (is_abutting && location > CellCenter && location < EdgeCenter);
  if (!is_allowed)
    throw Failure("an interface of type " + std::string(enum_text(type, GridConnectivityTypeName)) +
                  " does not lie at the location " + std::string(text));
}

void check_donors(const NewInterface& given, int dimensions) {
  if (given.donor_count == 0) return;
  if (given.donor_count < 0)
    throw Failure("the number of donor points is " + std::to_string(given.donor_count));
  if (given.donors == nullptr) throw Failure("the donor points are NULL");
  if (given.donor_type != PointListDonor && given.donor_type != CellListDonor)
    throw Failure("donor points are given as PointListDonor or CellListDonor, not as " +
                  std::string(cg_PointSetTypeName(given.donor_type)));
  if (given.type == Abutting1to1 && given.points.indices != nullptr &&
      static_cast<std::uint64_t>(given.donor_count) != size_of(given.points, dimensions))
    throw failure("an interface of type Abutting1to1 has ", size_of(given.points, dimensions),
                  " points and ", given.donor_count, " donor points");
}

void write_interface(int fn, int base, int zone_index, const char* name, const char* donor,
                     const NewInterface& given, int* index) {
  OpenFile& file = for_writing(fn);
  Node& zone = zone_at(file, base, zone_index);
  const int dimensions = index_dimension(zone);
  const std::string donor_zone = checked_donor(donor);
  checked_name(name);
  check_points(given.points);
  const auto type = enum_text(given.type, GridConnectivityTypeName);
  check_interface_location(given.location, given.type, zone);
  check_donors(given, dimensions);
  Node& interface = create(active_set_for_writing(file, zone), name, Label::GridConnectivity,
                           Value::text(donor_zone), index);
  create(interface, "GridConnectivityType", Label::GridConnectivityType, Value::text(type));
  write_location(interface, given.location);
  write_points(interface, dimensions, given.points);
  if (given.donor_count > 0)
    write_indices(interface, cg_PointSetTypeName(given.donor_type), Label::IndexArray,
                  donor_dimensions(interface, given.donor_zone), given.donor_count, given.donors);
}

Node& interface_at(OpenFile& file, int base, int zone, int index) {
  return in_active(file, base, zone, Label::GridConnectivity, index);
}

GridConnectivityType_t type_of(Node& interface) {
  Node* type = single(interface, Label::GridConnectivityType);
  return type == nullptr ? Overset
                         : read_enum<GridConnectivityType_t>(*type, GridConnectivityTypeName);
}

void read_own_points(int fn, int base, int zone, int index, cgsize_t* points) {
  OpenFile& file = for_reading(fn);
  Node& interface = interface_at(file, base, zone, index);
  read_points(*required_points(interface, index_dimension(zone_at(file, base, zone))).node, points);
}

}  // namespace

extern "C" {

int cg_nconns(int fn, int B, int Z, int* nconns) {
  return guarded(
      __func__, [&] { *nconns = count_in_active(for_reading(fn), B, Z, Label::GridConnectivity); });
}

int cg_conn_info(int fn, int B, int Z, int Ii, char* connectname, GridLocation_t* location,
                 GridConnectivityType_t* type, PointSetType_t* ptset_type, cgsize_t* npnts,
                 char* donorname, ZoneType_t* donor_zonetype, PointSetType_t* donor_ptset_type,
                 DataType_t* donor_datatype, cgsize_t* ndata_donor) {
  return guarded(__func__, [&] {
    OpenFile& file = for_reading(fn);
    Node& interface = interface_at(file, B, Z, Ii);
    const Donors donors = donors_in(interface);
    *donor_zonetype = zone_type(donor_of(interface));
    *location = location_of(interface);
    *type = type_of(interface);
    give_points_info(interface, index_dimension(zone_at(file, B, Z)), ptset_type, npnts);
    const bool has_donors = donors.node != nullptr;
    *donor_ptset_type = donors.type;
    *donor_datatype = has_donors ? data_type_of(donors.node->type()) : DataTypeNull;
    *ndata_donor = has_donors ? count_of_donors(interface, *donors.node) : 0;
    give_name(interface, connectname);
    give_text(donor_name(interface), donorname);
  });
}

int cg_conn_read(int fn, int B, int Z, int Ii, cgsize_t* pnts, DataType_t /*donor_datatype*/,
                 cgsize_t* donor_data) {
  return guarded(__func__, [&] {
    Node& interface = interface_at(for_reading(fn), B, Z, Ii);
    const Donors donors = donors_in(interface);
    if (donors.node != nullptr) count_of_donors(interface, *donors.node);
    read_own_points(fn, B, Z, Ii, pnts);
    if (donors.node != nullptr && donor_data != nullptr) read_points(*donors.node, donor_data);
  });
}

int cg_conn_id(int fn, int B, int Z, int Ii, double* conn_id) {
  return guarded(__func__,
                 [&] { *conn_id = session().ids.id_of(interface_at(for_reading(fn), B, Z, Ii)); });
}

int cg_conn_write(int fn, int B, int Z, const char* connectname, GridLocation_t location,
                  GridConnectivityType_t type, PointSetType_t ptset_type, cgsize_t npnts,
                  const cgsize_t* pnts, const char* donorname, ZoneType_t donor_zonetype,
                  PointSetType_t donor_ptset_type, DataType_t /*donor_datatype*/,
                  cgsize_t ndata_donor, const cgsize_t* donor_data, int* Ii) {
  return guarded(__func__, [&] {
    write_interface(fn, B, Z, connectname, donorname,
                    {location,
                     type,
                     {ptset_type, npnts, pnts},
                     donor_zonetype,
                     donor_ptset_type,
                     ndata_donor,
                     donor_data},
                    Ii);
  });
}

int cg_conn_write_short(int fn, int B, int Z, const char* connectname, GridLocation_t location,
                        GridConnectivityType_t type, PointSetType_t ptset_type, cgsize_t npnts,
                        const cgsize_t* pnts, const char* donorname, int* Ii) {
  return guarded(__func__, [&] {
    write_interface(
        fn, B, Z, connectname, donorname,
        {location, type, {ptset_type, npnts, pnts}, ZoneTypeNull, PointSetTypeNull, 0, nullptr},
        Ii);
  });
}

int cg_conn_read_short(int fn, int B, int Z, int Ii, cgsize_t* pnts) {
  return guarded(__func__, [&] { read_own_points(fn, B, Z, Ii, pnts); });
}

}  // extern "C"
