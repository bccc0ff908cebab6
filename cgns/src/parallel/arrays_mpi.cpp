#include <array>

#include "at_position/array_at_position.hpp"
#include "parallel/parts_of_group.hpp"

using namespace onecast::cgns;

namespace {

int file_at_position() { return session().position.file(); }

/// The arrays below the current position, which must be in file `fn`.
struct Arrays {
  int fn = file_at_position();

  [[nodiscard]] Node& at(int index) const {
    Node& node = session().position.node();
    if (file_at_position() != fn)
      throw Failure("the current position is not in file " + std::to_string(fn));
    return child_at(node, Label::DataArray, index);
  }
  static Rind rind_of(Node& array) { return rind_for(*array.parent(), array.dims()); }
};

/// Returns the points `start` to `end` of the list at the current position.
Parts points(int fn, cgsize_t start, cgsize_t end, const void* indices) {
  Node& list = session().position.node();
  if (file_at_position() != fn || list.label() != Label::IndexArray)
    throw Failure("the current position is at no list of points in file " + std::to_string(fn),
                  CG_INCORRECT_PATH);
  const Dims dims = list.dims();
  if (dims.size() != 2) throw Failure(list.path() + " is not a list of points");
  const std::array<cgsize_t, 2> first{1, start};
  const std::array<cgsize_t, 2> last{static_cast<cgsize_t>(dims[0]), end};
  PartOfArray part = plain_part(list, {first.data(), last.data()}, indices);
  part.part.memory_type = value_type<cgsize_t>();
  return {part};
}

}  // namespace

extern "C" {

int cgp_array_write(const char* arrayname, DataType_t type, int DataDimension,
                    const cgsize_t* DimensionVector, int* A) {
  return guarded(__func__, [&] {
    const ArrayHolder holder = new_array_at_position(arrayname, DataDimension, DimensionVector);
    create_whole_array(holder, arrayname, type, nullptr, A);
  });
}

int cgp_array_write_data(int A, const cgsize_t* rmin, const cgsize_t* rmax, const void* data) {
  return write_data(__func__, file_at_position(), plain(Arrays(), A, {rmin, rmax}, data));
}

int cgp_array_general_write_data(int A, const cgsize_t* rmin, const cgsize_t* rmax,
                                 DataType_t m_type, int m_numdim, const cgsize_t* m_arg_dimvals,
                                 const cgsize_t* m_rmin, const cgsize_t* m_rmax, const void* data) {
  return write_data(__func__, file_at_position(),
                    general(Arrays(), A, {rmin, rmax},
                            {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, data));
}

int cgp_array_read_data(int A, const cgsize_t* rmin, const cgsize_t* rmax, void* data) {
  return read_data(__func__, file_at_position(), plain(Arrays(), A, {rmin, rmax}, data));
}

int cgp_array_general_read_data(int A, const cgsize_t* rmin, const cgsize_t* rmax,
                                DataType_t m_type, int m_numdim, const cgsize_t* m_arg_dimvals,
                                const cgsize_t* m_rmin, const cgsize_t* m_rmax, void* data) {
  return read_data(__func__, file_at_position(),
                   general(Arrays(), A, range_to_read(rmin, rmax),
                           {m_type, m_numdim, m_arg_dimvals, {m_rmin, m_rmax}}, data));
}

int cgp_array_multi_write_data(int fn, int* A, const cgsize_t* rmin, const cgsize_t* rmax,
                               int nsets, const void** buf) {
  return write_data(__func__, fn, one_of_each(Arrays{fn}, A, {rmin, rmax}, nsets, buf));
}

int cgp_array_multi_read_data(int fn, int* A, const cgsize_t* rmin, const cgsize_t* rmax, int nsets,
                              void** buf) {
  return read_data(__func__, fn, one_of_each(Arrays{fn}, A, {rmin, rmax}, nsets, buf));
}

int cgp_ptlist_write_data(int fn, cgsize_t start, cgsize_t end, const cgsize_t* list) {
  return write_data(__func__, fn, [&] { return points(fn, start, end, list); });
}

int cgp_ptlist_read_data(int fn, cgsize_t start, cgsize_t end, cgsize_t* list) {
  return read_data(__func__, fn, [&] { return points(fn, start, end, list); });
}

}  // extern "C"
