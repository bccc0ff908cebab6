#include "api/grid_of.hpp"
#include "parallel/parallel_session.hpp"

using namespace onecast::cgns;

namespace {

/// Returns an array of coordinates by its index, in a file open in any mode.
Node& coordinate_at(int fn, int base, int zone, int index) {
  Node& grid = required(zone_at(opened(fn), base, zone), "GridCoordinates", Label::GridCoordinates);
  return child_at(grid, Label::DataArray, index);
}

Parts one_of_each(int fn, int base, int zone, const int* indices, Range range, int sets,
                  const void* const* buffers) {
  Parts parts;
  for (int i = 0; i < sets; ++i)
    parts.push_back(plain_part(coordinate_at(fn, base, zone, indices[i]), range,
                               buffers == nullptr ? nullptr : buffers[i]));
  return parts;
}

}  // namespace

extern "C" {

int cgp_coord_write(int fn, int B, int Z, DataType_t type, const char* coordname, int* C) {
  return guarded(__func__, [&] {
    check_coordinate_type(type);
    write_array(grid_for_writing(fn, B, Z), coordname, type, nullptr, C);
  });
}

int cgp_coord_write_data(int fn, int B, int Z, int C, const cgsize_t* rmin, const cgsize_t* rmax,
                         const void* coord_array) {
  return write_data(__func__, fn, [&] {
    return Parts{plain_part(coordinate_at(fn, B, Z, C), {rmin, rmax}, coord_array)};
  });
}

int cgp_coord_general_write_data(int fn, int B, int Z, int C, const cgsize_t* rmin,
                                 const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                 const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                 const cgsize_t* m_rmax, const void* coords) {
  return write_data(__func__, fn, [&] {
    Node& array = coordinate_at(fn, B, Z, C);
    return Parts{general_part(array, rind_of(*array.parent()), {rmin, rmax},
                              {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, coords)};
  });
}

int cgp_coord_read_data(int fn, int B, int Z, int C, const cgsize_t* rmin, const cgsize_t* rmax,
                        void* coord_array) {
  return read_data(__func__, fn, [&] {
    return Parts{plain_part(coordinate_at(fn, B, Z, C), {rmin, rmax}, coord_array)};
  });
}

int cgp_coord_general_read_data(int fn, int B, int Z, int C, const cgsize_t* rmin,
                                const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                const cgsize_t* m_rmax, void* coords) {
  return read_data(__func__, fn, [&] {
    Node& array = coordinate_at(fn, B, Z, C);
    return Parts{general_part(array, rind_of(*array.parent()), range_to_read(rmin, rmax),
                              {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, coords)};
  });
}

int cgp_coord_multi_read_data(int fn, int B, int Z, int* C, const cgsize_t* rmin,
                              const cgsize_t* rmax, int nsets, void** buf) {
  return read_data(__func__, fn,
                   [&] { return one_of_each(fn, B, Z, C, {rmin, rmax}, nsets, buf); });
}

int cgp_coord_multi_write_data(int fn, int B, int Z, int* C, const cgsize_t* rmin,
                               const cgsize_t* rmax, int nsets, const void** buf) {
  return write_data(__func__, fn,
                    [&] { return one_of_each(fn, B, Z, C, {rmin, rmax}, nsets, buf); });
}

}  // extern "C"
