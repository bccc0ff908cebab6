#include "api/locations.hpp"

using namespace onecast::cgns;

namespace {

Node& discrete_in(Node& zone, int index) { return child_at(zone, Label::DiscreteData, index); }

}  // namespace

extern "C" {

int cg_ndiscrete(int fn, int B, int Z, int* ndiscrete) {
  return guarded(__func__,
                 [&] { *ndiscrete = count(zone_at(for_reading(fn), B, Z), Label::DiscreteData); });
}

int cg_discrete_read(int fn, int B, int Z, int D, char* discrete_name) {
  return guarded(__func__,
                 [&] { give_name(discrete_in(zone_at(for_reading(fn), B, Z), D), discrete_name); });
}

int cg_discrete_write(int fn, int B, int Z, const char* discrete_name, int* D) {
  return guarded(__func__, [&] {
    create(zone_at(for_writing(fn), B, Z), discrete_name, Label::DiscreteData, {}, D);
  });
}

int cg_discrete_size(int fn, int B, int Z, int D, int* data_dim, cgsize_t* dim_vals) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    give_dims(data_holder(zone, discrete_in(zone, D)).dims, data_dim, dim_vals);
  });
}

int cg_discrete_ptset_info(int fn, int B, int Z, int D, PointSetType_t* ptset_type,
                           cgsize_t* npnts) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    give_points_info(discrete_in(zone, D), index_dimension(zone), ptset_type, npnts);
  });
}

int cg_discrete_ptset_read(int fn, int B, int Z, int D, cgsize_t* pnts) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    read_points(*required_points(discrete_in(zone, D), index_dimension(zone)).node, pnts);
  });
}

int cg_discrete_ptset_write(int fn, int B, int Z, const char* discrete_name,
                            GridLocation_t location, PointSetType_t ptset_type, cgsize_t npnts,
                            const cgsize_t* pnts, int* D) {
  return guarded(__func__, [&] {
    create_at_points(zone_at(for_writing(fn), B, Z), Label::DiscreteData, discrete_name, location,
                     {ptset_type, npnts, pnts}, D);
  });
}

}  // extern "C"
