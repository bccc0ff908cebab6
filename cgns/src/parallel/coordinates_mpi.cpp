#include "api/grid_of.hpp"
#include "parallel/parts_of_group.hpp"

using namespace onecast::cgns;

namespace {

/// The coordinates of a zone.
struct Coordinates {
  int fn, base, zone;

  [[nodiscard]] Node& at(int index) const {
    Node& in = zone_at(opened(fn), base, zone);
    return child_at(required(in, "GridCoordinates", Label::GridCoordinates), Label::DataArray,
                    index);
  }
  static Rind rind_of(Node& array) { return onecast::cgns::rind_of(*array.parent()); }
};

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
  return write_data(__func__, fn, plain(Coordinates{fn, B, Z}, C, {rmin, rmax}, coord_array));
}

int cgp_coord_general_write_data(int fn, int B, int Z, int C, const cgsize_t* rmin,
                                 const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                 const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                 const cgsize_t* m_rmax, const void* coords) {
  return write_data(__func__, fn,
                    general(Coordinates{fn, B, Z}, C, {rmin, rmax},
                            {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, coords));
}

int cgp_coord_read_data(int fn, int B, int Z, int C, const cgsize_t* rmin, const cgsize_t* rmax,
                        void* coord_array) {
  return read_data(__func__, fn, plain(Coordinates{fn, B, Z}, C, {rmin, rmax}, coord_array));
}

int cgp_coord_general_read_data(int fn, int B, int Z, int C, const cgsize_t* rmin,
                                const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                const cgsize_t* m_rmax, void* coords) {
  return read_data(__func__, fn,
                   general(Coordinates{fn, B, Z}, C, range_to_read(rmin, rmax),
                           {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, coords));
}

int cgp_coord_multi_read_data(int fn, int B, int Z, int* C, const cgsize_t* rmin,
                              const cgsize_t* rmax, int nsets, void** buf) {
  return read_data(__func__, fn, one_of_each(Coordinates{fn, B, Z}, C, {rmin, rmax}, nsets, buf));
}

int cgp_coord_multi_write_data(int fn, int B, int Z, int* C, const cgsize_t* rmin,
                               const cgsize_t* rmax, int nsets, const void** buf) {
  return write_data(__func__, fn, one_of_each(Coordinates{fn, B, Z}, C, {rmin, rmax}, nsets, buf));
}

}  // extern "C"
