#include "api/fields_of.hpp"
#include "api/grid_of.hpp"
#include "parallel/parts_of_group.hpp"
#include "particles/particles_of.hpp"

using namespace onecast::cgns;

namespace {

/// The arrays of one group: the coordinates of particles, or the fields of a solution, in files
/// that are open in any mode.
struct Positions {
  int fn, base, particles;

  [[nodiscard]] Node& at(int index) const {
    return child_at(particle_grid(opened(fn), base, particles), Label::DataArray, index);
  }
  static Rind rind_of(Node& /*array*/) { return {}; }
};
struct Solutions {
  int fn, base, particles, solution;

  [[nodiscard]] Node& at(int index) const {
    return child_at(particle_solution_at(opened(fn), base, particles, solution), Label::DataArray,
                    index);
  }
  static Rind rind_of(Node& /*array*/) { return {}; }
};

}  // namespace

extern "C" {

int cgp_particle_coord_write(int fn, int B, int P, DataType_t type, const char* coordname, int* C) {
  return guarded(__func__, [&] {
    check_coordinate_type(type);
    write_array(particle_grid_for_writing(fn, B, P), coordname, type, nullptr, C);
  });
}

int cgp_particle_coord_write_data(int fn, int B, int P, int C, const cgsize_t* rmin,
                                  const cgsize_t* rmax, const void* coord_array) {
  return write_data(__func__, fn, plain(Positions{fn, B, P}, C, {rmin, rmax}, coord_array));
}

int cgp_particle_coord_general_write_data(int fn, int B, int P, int C, const cgsize_t* rmin,
                                          const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                          const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                          const cgsize_t* m_rmax, const void* coords) {
  return write_data(__func__, fn,
                    general(Positions{fn, B, P}, C, {rmin, rmax},
                            {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, coords));
}

int cgp_particle_coord_read_data(int fn, int B, int P, int C, const cgsize_t* rmin,
                                 const cgsize_t* rmax, void* coord_array) {
  return read_data(__func__, fn, plain(Positions{fn, B, P}, C, {rmin, rmax}, coord_array));
}

int cgp_particle_coord_general_read_data(int fn, int B, int P, int C, const cgsize_t* rmin,
                                         const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                         const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                         const cgsize_t* m_rmax, void* coords) {
  return read_data(__func__, fn,
                   general(Positions{fn, B, P}, C, range_to_read(rmin, rmax),
                           {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, coords));
}

int cgp_particle_coord_multi_read_data(int fn, int B, int P, int* C, const cgsize_t* rmin,
                                       const cgsize_t* rmax, int nsets, void** buf) {
  return read_data(__func__, fn, one_of_each(Positions{fn, B, P}, C, {rmin, rmax}, nsets, buf));
}

int cgp_particle_coord_multi_write_data(int fn, int B, int P, int* C, const cgsize_t* rmin,
                                        const cgsize_t* rmax, int nsets, const void** buf) {
  return write_data(__func__, fn, one_of_each(Positions{fn, B, P}, C, {rmin, rmax}, nsets, buf));
}

int cgp_particle_field_write(int fn, int B, int P, int S, DataType_t type, const char* fieldname,
                             int* F) {
  return guarded(__func__, [&] {
    check_field_type(type);
    write_array(particle_fields(for_writing(fn), B, P, S), fieldname, type, nullptr, F);
  });
}

int cgp_particle_field_write_data(int fn, int B, int P, int S, int F, const cgsize_t* rmin,
                                  const cgsize_t* rmax, const void* data) {
  return write_data(__func__, fn, plain(Solutions{fn, B, P, S}, F, {rmin, rmax}, data));
}

int cgp_particle_field_general_write_data(int fn, int B, int P, int S, int F, const cgsize_t* rmin,
                                          const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                          const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                          const cgsize_t* m_rmax, const void* data) {
  return write_data(__func__, fn,
                    general(Solutions{fn, B, P, S}, F, {rmin, rmax},
                            {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, data));
}

int cgp_particle_field_read_data(int fn, int B, int P, int S, int F, const cgsize_t* rmin,
                                 const cgsize_t* rmax, void* data) {
  return read_data(__func__, fn, plain(Solutions{fn, B, P, S}, F, {rmin, rmax}, data));
}

int cgp_particle_field_general_read_data(int fn, int B, int P, int S, int F, const cgsize_t* rmin,
                                         const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                         const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                         const cgsize_t* m_rmax, void* data) {
  return read_data(__func__, fn,
                   general(Solutions{fn, B, P, S}, F, range_to_read(rmin, rmax),
                           {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, data));
}

int cgp_particle_field_multi_read_data(int fn, int B, int P, int S, int* F, const cgsize_t* rmin,
                                       const cgsize_t* rmax, int nsets, void** buf) {
  return read_data(__func__, fn, one_of_each(Solutions{fn, B, P, S}, F, {rmin, rmax}, nsets, buf));
}

int cgp_particle_field_multi_write_data(int fn, int B, int P, int S, int* F, const cgsize_t* rmin,
                                        const cgsize_t* rmax, int nsets, const void** buf) {
  return write_data(__func__, fn, one_of_each(Solutions{fn, B, P, S}, F, {rmin, rmax}, nsets, buf));
}

}  // extern "C"
