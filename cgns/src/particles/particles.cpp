#include "api/grid_of.hpp"
#include "particles/particles_of.hpp"

using namespace onecast::cgns;

namespace {

constexpr const char* kGrid = "ParticleCoordinates";

}  // namespace

namespace onecast::cgns {

Node& particles_at(OpenFile& file, int base, int particles) {
  return child_at(base_at(file, base), Label::ParticleZone, particles);
}

std::uint64_t particle_count(Node& particles) {
  const std::int64_t count = read_numbers<std::int64_t>(particles, 1)[0];
  if (count < 0) throw failure(particles.path(), " has ", count, " particles");
  return static_cast<std::uint64_t>(count);
}

ArrayHolder particle_grid_for_writing(int fn, int base, int index) {
  Node& particles = particles_at(for_writing(fn), base, index);
  Node* grid = particles.find(kGrid, Label::ParticleCoordinates);
  if (grid == nullptr) grid = &create(particles, kGrid, Label::ParticleCoordinates, {});
  return {*grid, {particle_count(particles)}, {}};
}

Node& particle_grid(OpenFile& file, int base, int particles) {
  return required(particles_at(file, base, particles), kGrid, Label::ParticleCoordinates);
}

}  // namespace onecast::cgns

namespace {

Node& grid_at(OpenFile& file, int base, int particles, int grid) {
  return child_at(particles_at(file, base, particles), Label::ParticleCoordinates, grid);
}

ArrayHolder coordinates_for_reading(int fn, int base, int particles) {
  return {particle_grid(for_reading(fn), base, particles), {}, {}};
}

}  // namespace

extern "C" {

int cg_nparticle_zones(int fn, int B, int* nparticlezones) {
  return guarded(
      __func__, [&] { *nparticlezones = count(base_at(for_reading(fn), B), Label::ParticleZone); });
}

int cg_particle_id(int fn, int B, int P, double* particle_id) {
  return guarded(__func__,
                 [&] { *particle_id = session().ids.id_of(particles_at(for_reading(fn), B, P)); });
}

int cg_particle_read(int fn, int B, int P, char* particlename, cgsize_t* size) {
  return guarded(__func__, [&] {
    Node& particles = particles_at(for_reading(fn), B, P);
    *size = read_numbers<cgsize_t>(particles, 1)[0];
    give_name(particles, particlename);
  });
}

int cg_particle_write(int fn, int B, const char* particlename, const cgsize_t size, int* P) {
  return guarded(__func__, [&] {
    Node& base = base_at(for_writing(fn), B);
    if (size < 0) throw Failure("the number of particles is " + std::to_string(size));
    create(base, particlename, Label::ParticleZone, Value::number(size), P);
  });
}

int cg_particle_ncoord_nodes(int fn, int B, int P, int* ncoord_nodes) {
  return guarded(__func__, [&] {
    *ncoord_nodes = count(particles_at(for_reading(fn), B, P), Label::ParticleCoordinates);
  });
}

int cg_particle_coord_node_read(int fn, int B, int P, int C, char* name) {
  return guarded(__func__, [&] { give_name(grid_at(for_reading(fn), B, P, C), name); });
}

int cg_particle_coord_node_write(int fn, int B, int P, const char* name, int* C) {
  return guarded(__func__, [&] {
    create(particles_at(for_writing(fn), B, P), name, Label::ParticleCoordinates, {}, C);
  });
}

int cg_particle_bounding_box_read(int fn, int B, int P, int C, DataType_t datatype,
                                  void* boundingbox) {
  return guarded(__func__, [&] {
    read_bounding_box(grid_at(for_reading(fn), B, P, C), datatype, boundingbox);
  });
}

int cg_particle_bounding_box_write(int fn, int B, int P, int C, DataType_t datatype,
                                   void* boundingbox) {
  return guarded(__func__, [&] {
    write_bounding_box(grid_at(for_writing(fn), B, P, C), datatype, boundingbox);
  });
}

int cg_particle_ncoords(int fn, int B, int P, int* ncoords) {
  return guarded(__func__, [&] {
    Node* grid = particles_at(for_reading(fn), B, P).find(kGrid, Label::ParticleCoordinates);
    *ncoords = grid == nullptr ? 0 : count(*grid, Label::DataArray);
  });
}

int cg_particle_coord_info(int fn, int B, int P, int C, DataType_t* type, char* coordname) {
  return guarded(__func__, [&] {
    Node& array = child_at(particle_grid(for_reading(fn), B, P), Label::DataArray, C);
    *type = data_type_of(array.type());
    give_name(array, coordname);
  });
}

int cg_particle_coord_read(int fn, int B, int P, const char* coordname, DataType_t type,
                           const cgsize_t* rmin, const cgsize_t* rmax, void* coord) {
  return guarded(__func__, [&] {
    check_coordinate_type(type);
    read_array(coordinates_for_reading(fn, B, P), coordname, type, {rmin, rmax}, coord);
  });
}

int cg_particle_coord_general_read(int fn, int B, int P, const char* coordname,
                                   const cgsize_t* s_rmin, const cgsize_t* s_rmax,
                                   DataType_t m_type, const cgsize_t* m_dimvals,
                                   const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                                   void* coord_ptr) {
  return guarded(__func__, [&] {
    read_array(coordinates_for_reading(fn, B, P), coordname, {s_rmin, s_rmax},
               {m_type, 1, m_dimvals, {m_rmin, m_rmax}}, coord_ptr);
  });
}

int cg_particle_coord_id(int fn, int B, int P, int C, double* coord_id) {
  return guarded(__func__, [&] {
    Node& grid = particle_grid(for_reading(fn), B, P);
    *coord_id = session().ids.id_of(child_at(grid, Label::DataArray, C));
  });
}

int cg_particle_coord_write(int fn, int B, int P, DataType_t type, const char* coordname,
                            const void* coord_ptr, int* C) {
  return guarded(__func__, [&] {
    check_coordinate_type(type);
    write_array(particle_grid_for_writing(fn, B, P), coordname, type, coord_ptr, C);
  });
}

int cg_particle_coord_partial_write(int fn, int B, int P, DataType_t type, const char* coordname,
                                    const cgsize_t* rmin, const cgsize_t* rmax,
                                    const void* coord_ptr, int* C) {
  return guarded(__func__, [&] {
    check_coordinate_type(type);
    write_array(particle_grid_for_writing(fn, B, P), coordname, type, {rmin, rmax}, coord_ptr, C);
  });
}

int cg_particle_coord_general_write(int fn, int B, int P, const char* coordname, DataType_t s_type,
                                    const cgsize_t* rmin, const cgsize_t* rmax, DataType_t m_type,
                                    const cgsize_t* m_dims, const cgsize_t* m_rmin,
                                    const cgsize_t* m_rmax, const void* coord_ptr, int* C) {
  return guarded(__func__, [&] {
    check_coordinate_type(s_type);
    write_array(particle_grid_for_writing(fn, B, P), coordname, s_type, {rmin, rmax},
                {m_type, 1, m_dims, {m_rmin, m_rmax}}, coord_ptr, C);
  });
}

}  // extern "C"
