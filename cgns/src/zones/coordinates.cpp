#include "api/grid_of.hpp"
#include "api/single_nodes.hpp"

using namespace onecast::cgns;

namespace onecast::cgns {

namespace {

constexpr const char* kOriginalGrid = "GridCoordinates";

Node& original_grid(Node& zone) { return required(zone, kOriginalGrid, Label::GridCoordinates); }

}  // namespace

ArrayHolder grid_for_writing(int fn, int base, int zone_index) {
  Node& zone = zone_at(for_writing(fn), base, zone_index);
  Node* grid = zone.find(kOriginalGrid, Label::GridCoordinates);
  if (grid == nullptr) grid = &create(zone, kOriginalGrid, Label::GridCoordinates, {});
  const Rind rind = rind_of(*grid);
  return {*grid, with_rind(dims_at(zone, Vertex), rind), rind};
}

ArrayHolder grid_for_reading(int fn, int base, int zone_index) {
  Node& zone = zone_at(for_reading(fn), base, zone_index);
  Node& grid = original_grid(zone);
  const Rind rind = rind_of(grid);
  return {grid, with_rind(dims_at(zone, Vertex), rind), rind};
}

void check_coordinate_type(DataType_t type) {
  if (type != RealSingle && type != RealDouble)
    throw Failure("coordinates are of type RealSingle or RealDouble");
}

void read_bounding_box(Node& grid, DataType_t type, void* box) {
  check_coordinate_type(type);
  const auto physical = static_cast<std::uint64_t>(physical_dimension(base_of(grid)));
  if (!grid.data()) throw Failure(grid.path() + " has no bounding box", Failure::kNodeNotFound);
  if (grid.dims() != Dims{physical, 2})
    throw failure(grid.path(), ": a bounding box has ", physical, " x 2 numbers");
  read_part(grid, {.stored = all_of(grid.dims()), .memory_type = value_type_of(type)}, box);
}

void write_bounding_box(Node& grid, DataType_t type, const void* box) {
  if (box == nullptr) return;  // no bounding box is written
  check_coordinate_type(type);
  const auto physical = static_cast<std::uint64_t>(physical_dimension(base_of(grid)));
  const ValueType stored = value_type_of(type);
  const auto* bytes = static_cast<const std::byte*>(box);
  grid.tree().write_value(grid, {stored, {physical, 2}, {bytes, 2 * physical * size_of(stored)}});
}

}  // namespace onecast::cgns

namespace {

Node& grid_at(OpenFile& file, int base, int zone, int grid) {
  return child_at(zone_at(file, base, zone), Label::GridCoordinates, grid);
}

}  // namespace

extern "C" {

int cg_ngrids(int fn, int B, int Z, int* ngrids) {
  return guarded(__func__,
                 [&] { *ngrids = count(zone_at(for_reading(fn), B, Z), Label::GridCoordinates); });
}

int cg_grid_read(int fn, int B, int Z, int G, char* gridname) {
  return guarded(__func__, [&] { give_name(grid_at(for_reading(fn), B, Z, G), gridname); });
}

int cg_grid_write(int fn, int B, int Z, const char* zcoorname, int* G) {
  return guarded(__func__, [&] {
    create(zone_at(for_writing(fn), B, Z), zcoorname, Label::GridCoordinates, {}, G);
  });
}

int cg_grid_bounding_box_read(int fn, int B, int Z, int G, DataType_t type, void* boundingbox) {
  return guarded(__func__, [&] {
    check_coordinate_type(type);
    Node& grid = grid_at(for_reading(fn), B, Z, G);
    read_bounding_box(grid, type, boundingbox);
  });
}

int cg_grid_bounding_box_write(int fn, int B, int Z, int G, DataType_t type, void* boundingbox) {
  return guarded(__func__,
                 [&] { write_bounding_box(grid_at(for_writing(fn), B, Z, G), type, boundingbox); });
}

int cg_ncoords(int fn, int B, int Z, int* ncoords) {
  return guarded(__func__, [&] {
    Node* grid = zone_at(for_reading(fn), B, Z).find(kOriginalGrid, Label::GridCoordinates);
    *ncoords = grid == nullptr ? 0 : count(*grid, Label::DataArray);
  });
}

int cg_coord_info(int fn, int B, int Z, int C, DataType_t* type, char* coordname) {
  return guarded(__func__, [&] {
    Node& array = child_at(grid_for_reading(fn, B, Z).node, Label::DataArray, C);
    *type = data_type_of(array.type());
    give_name(array, coordname);
  });
}

int cg_coord_read(int fn, int B, int Z, const char* coordname, DataType_t type,
                  const cgsize_t* rmin, const cgsize_t* rmax, void* coord) {
  return guarded(__func__, [&] {
    check_coordinate_type(type);
    read_array(grid_for_reading(fn, B, Z), coordname, type, {rmin, rmax}, coord);
  });
}

int cg_coord_general_read(int fn, int B, int Z, const char* coordname, const cgsize_t* s_rmin,
                          const cgsize_t* s_rmax, DataType_t m_type, int m_numdim,
                          const cgsize_t* m_dimvals, const cgsize_t* m_rmin, const cgsize_t* m_rmax,
                          void* coord_ptr) {
  return guarded(__func__, [&] {
    read_array(grid_for_reading(fn, B, Z), coordname, {s_rmin, s_rmax},
               {m_type, m_numdim, m_dimvals, {m_rmin, m_rmax}}, coord_ptr);
  });
}

int cg_coord_id(int fn, int B, int Z, int C, double* coord_id) {
  return guarded(__func__, [&] {
    Node& zone = zone_at(for_reading(fn), B, Z);
    *coord_id = session().ids.id_of(child_at(original_grid(zone), Label::DataArray, C));
  });
}

int cg_coord_write(int fn, int B, int Z, DataType_t type, const char* coordname,
                   const void* coord_ptr, int* C) {
  return guarded(__func__, [&] {
    check_coordinate_type(type);
    write_array(grid_for_writing(fn, B, Z), coordname, type, coord_ptr, C);
  });
}

int cg_coord_partial_write(int fn, int B, int Z, DataType_t type, const char* coordname,
                           const cgsize_t* rmin, const cgsize_t* rmax, const void* coord_ptr,
                           int* C) {
  return guarded(__func__, [&] {
    check_coordinate_type(type);
    write_array(grid_for_writing(fn, B, Z), coordname, type, {rmin, rmax}, coord_ptr, C);
  });
}

int cg_coord_general_write(int fn, int B, int Z, const char* coordname, DataType_t s_type,
                           const cgsize_t* rmin, const cgsize_t* rmax, DataType_t m_type,
                           int m_numdim, const cgsize_t* m_dims, const cgsize_t* m_rmin,
                           const cgsize_t* m_rmax, const void* coord_ptr, int* C) {
  return guarded(__func__, [&] {
    check_coordinate_type(s_type);
    write_array(grid_for_writing(fn, B, Z), coordname, s_type, {rmin, rmax},
                {m_type, m_numdim, m_dims, {m_rmin, m_rmax}}, coord_ptr, C);
  });
}

}  // extern "C"
