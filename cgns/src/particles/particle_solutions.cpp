#include "api/fields_of.hpp"
#include "particles/particles_of.hpp"

using namespace onecast::cgns;

namespace onecast::cgns {

Node& particle_solution_at(OpenFile& file, int base, int particles, int solution) {
  return child_at(particles_at(file, base, particles), Label::ParticleSolution, solution);
}

ArrayHolder particle_fields(OpenFile& file, int base, int particles, int solution) {
  Node& node = particle_solution_at(file, base, particles, solution);
  if (const auto points = point_set_of(node, 1)) return {node, {points->size}, {}};
  return {node, {particle_count(*node.parent())}, {}};
}

}  // namespace onecast::cgns

namespace {

Node& solution_for_reading(int fn, int base, int particles, int solution) {
  return particle_solution_at(for_reading(fn), base, particles, solution);
}

Node& field_at(OpenFile& file, int base, int particles, int solution, int field) {
  return child_at(particle_solution_at(file, base, particles, solution), Label::DataArray, field);
}

}  // namespace

extern "C" {

int cg_particle_nsols(int fn, int B, int P, int* nsols) {
  return guarded(__func__, [&] {
    *nsols = count(particles_at(for_reading(fn), B, P), Label::ParticleSolution);
  });
}

int cg_particle_sol_info(int fn, int B, int P, int S, char* solname) {
  return guarded(__func__, [&] { give_name(solution_for_reading(fn, B, P, S), solname); });
}

int cg_particle_sol_id(int fn, int B, int P, int S, double* sol_id) {
  return guarded(__func__, [&] {
    *sol_id = session().ids.id_of(particle_solution_at(for_reading(fn), B, P, S));
  });
}

int cg_particle_sol_write(int fn, int B, int P, const char* solname, int* S) {
  return guarded(__func__, [&] {
    create(particles_at(for_writing(fn), B, P), solname, Label::ParticleSolution, {}, S);
  });
}

int cg_particle_sol_size(int fn, int B, int P, int S, cgsize_t* size) {
  return guarded(__func__,
                 [&] { *size = as_size(particle_fields(for_reading(fn), B, P, S).dims[0]); });
}

int cg_particle_sol_ptset_info(int fn, int B, int P, int S, PointSetType_t* ptset_type,
                               cgsize_t* npnts) {
  return guarded(
      __func__, [&] { give_points_info(solution_for_reading(fn, B, P, S), 1, ptset_type, npnts); });
}

int cg_particle_sol_ptset_read(int fn, int B, int P, int S, cgsize_t* pnts) {
  return guarded(__func__, [&] {
    read_points(*required_points(solution_for_reading(fn, B, P, S), 1).node, pnts);
  });
}

int cg_particle_sol_ptset_write(int fn, int B, int P, const char* solname,
                                PointSetType_t ptset_type, cgsize_t npnts, const cgsize_t* pnts,
                                int* S) {
  return guarded(__func__, [&] {
    Node& particles = particles_at(for_writing(fn), B, P);
    const NewPoints points{ptset_type, npnts, pnts};
    check_points(points);
    write_points(create(particles, solname, Label::ParticleSolution, {}, S), 1, points);
  });
}

int cg_particle_nfields(int fn, int B, int P, int S, int* nfields) {
  return guarded(__func__,
                 [&] { *nfields = count(solution_for_reading(fn, B, P, S), Label::DataArray); });
}

int cg_particle_field_info(int fn, int B, int P, int S, int F, DataType_t* type, char* fieldname) {
  return guarded(__func__, [&] {
    Node& array = field_at(for_reading(fn), B, P, S, F);
    *type = data_type_of(array.type());
    give_name(array, fieldname);
  });
}

int cg_particle_field_read(int fn, int B, int P, int S, const char* fieldname, DataType_t type,
                           const cgsize_t* rmin, const cgsize_t* rmax, void* field_ptr) {
  return guarded(__func__, [&] {
    read_array({solution_for_reading(fn, B, P, S), {}, {}}, fieldname, type, {rmin, rmax},
               field_ptr);
  });
}

int cg_particle_field_general_read(int fn, int B, int P, int S, const char* fieldname,
                                   const cgsize_t* s_rmin, const cgsize_t* s_rmax,
                                   DataType_t m_type, const cgsize_t* m_dimvals,
                                   const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                   void* field_ptr) {
  return guarded(__func__, [&] {
    read_array({solution_for_reading(fn, B, P, S), {}, {}}, fieldname, {s_rmin, s_rmax},
               {m_type, 1, m_dimvals, {m_rmin, m_rmax}}, field_ptr);
  });
}

int cg_particle_field_id(int fn, int B, int P, int S, int F, double* field_id) {
  return guarded(__func__,
                 [&] { *field_id = session().ids.id_of(field_at(for_reading(fn), B, P, S, F)); });
}

int cg_particle_field_write(int fn, int B, int P, int S, DataType_t type, const char* fieldname,
                            const void* field_ptr, int* F) {
  return guarded(__func__, [&] {
    check_field_type(type);
    write_array(particle_fields(for_writing(fn), B, P, S), fieldname, type, field_ptr, F);
  });
}

int cg_particle_field_partial_write(int fn, int B, int P, int S, DataType_t type,
                                    const char* fieldname, const cgsize_t* rmin,
                                    const cgsize_t* rmax, const void* field_ptr, int* F) {
  return guarded(__func__, [&] {
    check_field_type(type);
    write_array(particle_fields(for_writing(fn), B, P, S), fieldname, type, {rmin, rmax}, field_ptr,
                F);
  });
}

int cg_particle_field_general_write(int fn, int B, int P, int S, const char* fieldname,
                                    DataType_t s_type, const cgsize_t* rmin, const cgsize_t* rmax,
                                    DataType_t m_type, const cgsize_t* m_dims,
                                    const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                    const void* field_ptr, int* F) {
  return guarded(__func__, [&] {
    check_field_type(s_type);
    write_array(particle_fields(for_writing(fn), B, P, S), fieldname, s_type, {rmin, rmax},
                {m_type, 1, m_dims, {m_rmin, m_rmax}}, field_ptr, F);
  });
}

}  // extern "C"
