#include "api/fields_of.hpp"
#include "at_position/array_at_position.hpp"
#include "parallel/parallel_session.hpp"

using namespace onecast::cgns;

namespace {

/// Returns a field by its index, in a file open in any mode.
Node& field_at(int fn, int base, int zone, int solution, int index) {
  Node& fields = child_at(zone_at(opened(fn), base, zone), Label::FlowSolution, solution);
  return child_at(fields, Label::DataArray, index);
}

Parts one_of_each(int fn, int base, int zone, int solution, const int* indices, Range range,
                  int sets, const void* const* buffers) {
  Parts parts;
  for (int i = 0; i < sets; ++i)
    parts.push_back(plain_part(field_at(fn, base, zone, solution, indices[i]), range,
                               buffers == nullptr ? nullptr : buffers[i]));
  return parts;
}

Parts general(Node& field, Range range, const GeneralMemory& memory, const void* elements) {
  return {general_part(field, rind_for(*field.parent(), field.dims()), range, memory, elements)};
}

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
  return write_data(__func__, fn, [&] {
    return Parts{plain_part(field_at(fn, B, Z, S, F), {rmin, rmax}, data)};
  });
}

int cgp_field_general_write_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                                 const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                 const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                 const cgsize_t* m_rmax, const void* data) {
  return write_data(__func__, fn, [&] {
    return general(field_at(fn, B, Z, S, F), {rmin, rmax},
                   {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, data);
  });
}

int cgp_field_read_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                        const cgsize_t* rmax, void* data) {
  return read_data(__func__, fn,
                   [&] { return Parts{plain_part(field_at(fn, B, Z, S, F), {rmin, rmax}, data)}; });
}

int cgp_field_general_read_data(int fn, int B, int Z, int S, int F, const cgsize_t* rmin,
                                const cgsize_t* rmax, DataType_t m_type, int m_numdim,
                                const cgsize_t* m_arg_dimvals, const cgsize_t* m_rmin,
                                const cgsize_t* m_rmax, void* data) {
  return read_data(__func__, fn, [&] {
    return general(field_at(fn, B, Z, S, F), range_to_read(rmin, rmax),
                   {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, data);
  });
}

int cgp_field_multi_read_data(int fn, int B, int Z, int S, int* F, const cgsize_t* rmin,
                              const cgsize_t* rmax, int nsets, void** buf) {
  return read_data(__func__, fn,
                   [&] { return one_of_each(fn, B, Z, S, F, {rmin, rmax}, nsets, buf); });
}

int cgp_field_multi_write_data(int fn, int B, int Z, int S, int* F, const cgsize_t* rmin,
                               const cgsize_t* rmax, int nsets, const void** buf) {
  return write_data(__func__, fn,
                    [&] { return one_of_each(fn, B, Z, S, F, {rmin, rmax}, nsets, buf); });
}

}  // extern "C"
