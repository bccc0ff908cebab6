#include "api/fields_of.hpp"
#include "at_position/array_at_position.hpp"
#include "parallel/parts_of_group.hpp"

using namespace onecast::cgns;

namespace {

/// The fields of a solution.
struct Fields {
  int fn, base, zone, solution;

  [[nodiscard]] Node& at(int index) const {
    Node& fields = child_at(zone_at(opened(fn), base, zone), Label::FlowSolution, solution);
    return child_at(fields, Label::DataArray, index);
  }
  static Rind rind_of(Node& field) { return rind_for(*field.parent(), field.dims()); }
};

}  // namespace

extern "C" {

int cgp_field_write(int fn, int B, int Z, int S, DataType_t type, const char* fieldname, int* F) {
  return guarded(__func__, [&] {
    check_field_type(type);
    write_array(fields_for_writing(fn, B, Z, S), fieldname, type, nullptr, F);
  });
}

int cgp_field_write_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                         const cgsize_t* rmax, const void* data) {
  return write_data(__func__, fn, plain(Fields{fn, B, Z, S}, F, {rmin, rmax}, data));
}

int cgp_field_general_write_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                                 const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                 const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                 const cgsize_t* m_rmax, const void* data) {
  return write_data(__func__, fn,
                    general(Fields{fn, B, Z, S}, F, {rmin, rmax},
                            {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, data));
}

int cgp_field_read_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                        const cgsize_t* rmax, void* data) {
  return read_data(__func__, fn, plain(Fields{fn, B, Z, S}, F, {rmin, rmax}, data));
}

int cgp_field_general_read_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                                const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                const cgsize_t* m_rmax, void* data) {
  return read_data(__func__, fn,
                   general(Fields{fn, B, Z, S}, F, range_to_read(rmin, rmax),
                           {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, data));
}

int cgp_field_multi_read_data(int fn, int B, int Z, int S, int* F, const cgsize_t* rmin,
                              const cgsize_t* rmax, int nsets, void** buf) {
  return read_data(__func__, fn, one_of_each(Fields{fn, B, Z, S}, F, {rmin, rmax}, nsets, buf));
}

int cgp_field_multi_write_data(int fn, int B, int Z, int S, int* F, const cgsize_t* rmin,
                               const cgsize_t* rmax, int nsets, const void** buf) {
  return write_data(__func__, fn, one_of_each(Fields{fn, B, Z, S}, F, {rmin, rmax}, nsets, buf));
}

}  // extern "C"
