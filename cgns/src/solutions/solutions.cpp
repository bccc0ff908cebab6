#include "api/fields_of.hpp"

using namespace onecast::cgns;

namespace {

Node& solution_at(OpenFile& file, int base, int zone, int solution) {
  return child_at(zone_at(file, base, zone), Label::FlowSolution, solution);
}

ArrayHolder fields_in(OpenFile& file, int base, int zone_index, int index) {
  Node& zone = zone_at(file, base, zone_index);
  return data_holder(zone, child_at(zone, Label::FlowSolution, index));
}

void check_whole_location(GridLocation_t location, Node& zone) {
  if (location == FaceCenter || location == EdgeCenter)
    throw Failure("a solution at faces or edges needs points: cg_sol_ptset_write");
  check_location(location, 3, zone);
}

}  // namespace

namespace onecast::cgns {

ArrayHolder fields_for_writing(int fn, int base, int zone, int solution) {
  return fields_in(for_writing(fn), base, zone, solution);
}

ArrayHolder fields_for_reading(int fn, int base, int zone, int solution) {
  return fields_in(for_reading(fn), base, zone, solution);
}

void check_field_type(DataType_t type) {
  if (value_type_of(type) == ValueType::C1) throw Failure("a field is not of type Character");
}

}  // namespace onecast::cgns

extern "C" {

int cg_nsols(int fn, int B, int Z, int* nsols) {
  return guarded(__func__,
                 [&] { *nsols = count(zone_at(for_reading(fn), B, Z), Label::FlowSolution); });
}

int cg_sol_info(int fn, int B, int Z, int S, char* solname, GridLocation_t* location) {
  return guarded(__func__, [&] {
    Node& solution = solution_at(for_reading(fn), B, Z, S);
    *location = location_of(solution);
    give_name(solution, solname);
  });
}

int cg_sol_id(int fn, int B, int Z, int S, double* sol_id) {
  return guarded(__func__,
                 [&] { *sol_id = session().ids.id_of(solution_at(for_reading(fn), B, Z, S)); });
}

int cg_sol_write(int fn, int B, int Z, const char* solname, GridLocation_t location, int* S) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_writing(fn), B, Z);
    check_whole_location(location, zone);
    write_location(create(zone, solname, Label::FlowSolution, {}, S), location);
  });
}

int cg_sol_size(int fn, int B, int Z, int S, int* data_dim, cgsize_t* dim_vals) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    give_dims(data_holder(zone, child_at(zone, Label::FlowSolution, S)).dims, data_dim, dim_vals);
  });
}

int cg_sol_ptset_info(int fn, int B, int Z, int S, PointSetType_t* ptset_type, cgsize_t* npnts) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    give_points_info(child_at(zone, Label::FlowSolution, S), index_dimension(zone), ptset_type,
                     npnts);
  });
}

int cg_sol_ptset_read(int fn, int B, int Z, int S, cgsize_t* pnts) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    read_points(
        *required_points(child_at(zone, Label::FlowSolution, S), index_dimension(zone)).node, pnts);
  });
}

int cg_sol_ptset_write(int fn, int B, int Z, const char* solname, GridLocation_t location,
                       PointSetType_t ptset_type, cgsize_t npnts, const cgsize_t* pnts, int* S) {
  return guarded(__func__, [&] {
    create_at_points(zone_at(for_writing(fn), B, Z), Label::FlowSolution, solname, location,
                     {ptset_type, npnts, pnts}, S);
  });
}

int cg_nfields(int fn, int B, int Z, int S, int* nfields) {
  return guarded(
      __func__, [&] { *nfields = count(solution_at(for_reading(fn), B, Z, S), Label::DataArray); });
}

int cg_field_info(int fn, int B, int Z, int S, int F, DataType_t* type, char* fieldname) {
  return guarded(__func__, [&] {
    Node& field = child_at(solution_at(for_reading(fn), B, Z, S), Label::DataArray, F);
    *type = data_type_of(field.type());
    give_name(field, fieldname);
  });
}

int cg_field_read(int fn, int B, int Z, int S, const char* fieldname, DataType_t type,
                  const cgsize_t* rmin, const cgsize_t* rmax, void* field_ptr) {
  return guarded(__func__, [&] {
    read_array(fields_for_reading(fn, B, Z, S), fieldname, type, {rmin, rmax}, field_ptr);
  });
}

int cg_field_general_read(int fn, int B, int Z, int S, const char* fieldname,
                          const cgsize_t* s_rmin, const cgsize_t* s_rmax, DataType_t m_type,
                          int m_numdim, const cgsize_t* m_dimvals, const cgsize_t* m_rmin,
                          const cgsize_t* m_rmax, void* field_ptr) {
  return guarded(__func__, [&] {
    read_array(fields_for_reading(fn, B, Z, S), fieldname, {s_rmin, s_rmax},
               {m_type, m_numdim, m_dimvals, {m_rmin, m_rmax}}, field_ptr);
  });
}

int cg_field_id(int fn, int B, int Z, int S, int F, double* field_id) {
  return guarded(__func__, [&] {
    Node& solution = solution_at(for_reading(fn), B, Z, S);
    *field_id = session().ids.id_of(child_at(solution, Label::DataArray, F));
  });
}

int cg_field_write(int fn, int B, int Z, int S, DataType_t type, const char* fieldname,
                   const void* field_ptr, int* F) {
  return guarded(__func__, [&] {
    check_field_type(type);
    write_array(fields_for_writing(fn, B, Z, S), fieldname, type, field_ptr, F);
  });
}

int cg_field_partial_write(int fn, int B, int Z, int S, DataType_t type, const char* fieldname,
                           const cgsize_t* rmin, const cgsize_t* rmax, const void* field_ptr,
                           int* F) {
  return guarded(__func__, [&] {
    check_field_type(type);
    write_array(fields_for_writing(fn, B, Z, S), fieldname, type, {rmin, rmax}, field_ptr, F);
  });
}

int cg_field_general_write(int fn, int B, int Z, int S, const char* fieldname, DataType_t s_type,
                           const cgsize_t* rmin, const cgsize_t* rmax, DataType_t m_type,
                           int m_numdim, const cgsize_t* m_dims, const cgsize_t* m_rmin,
                           const cgsize_t* m_rmax, const void* field_ptr, int* F) {
  return guarded(__func__, [&] {
    check_field_type(s_type);
    write_array(fields_for_writing(fn, B, Z, S), fieldname, s_type, {rmin, rmax},
                {m_type, m_numdim, m_dims, {m_rmin, m_rmax}}, field_ptr, F);
  });
}

}  // extern "C"
