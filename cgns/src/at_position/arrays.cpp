#include "at_position/array_at_position.hpp"

using namespace onecast::cgns;

namespace onecast::cgns {

Node& array_at_position(int index) { return child_at_position(Label::DataArray, index); }

ArrayHolder new_array_at_position(const char* name, int dimensions, const cgsize_t* extents) {
  Node& node = position_for_writing(Label::DataArray);
  if (child_row(node.label(), Label::DataArray, checked_name(name)) == nullptr)
    throw Failure("no array " + std::string(name) + " stands below " + node.path() + " (" +
                  node.label_text() + ")");
  const Dims dims = checked_dims(dimensions, extents);
  return {node, dims, rind_for(node, dims)};
}

Rind rind_for(Node& holder, const Dims& dims) {
  Rind rind = rind_of(holder);
  if (rind.size() != 2 * dims.size()) rind.clear();
  return rind;
}

}  // namespace onecast::cgns

extern "C" {

int cg_narrays(int* narrays) {
  return guarded(__func__, [&] {
    *narrays = count(position_in_any_mode(Label::DataArray), Label::DataArray);
  });
}

int cg_array_info(int A, char* ArrayName, DataType_t* DataType, int* DataDimension,
                  cgsize_t* DimensionVector) {
  return guarded(__func__, [&] {
    Node& array = array_at_position(A);
    give_name(array, ArrayName);
    *DataType = data_type_of(array.type());
    give_dims(array.dims(), DataDimension, DimensionVector);
  });
}

int cg_array_read(int A, void* Data) {
  return guarded(__func__, [&] {
    Node& array = array_at_position(A);
    read_part(array, {.stored = all_of(array.dims()), .memory_type = array.type()}, Data);
  });
}

int cg_array_read_as(int A, DataType_t type, void* Data) {
  return guarded(__func__, [&] {
    Node& array = array_at_position(A);
    read_part(array, {.stored = all_of(array.dims()), .memory_type = value_type_of(type)}, Data);
  });
}

int cg_array_general_read(int A, const cgsize_t* s_rmin, const cgsize_t* s_rmax, DataType_t m_type,
                          int m_numdim, const cgsize_t* m_dimvals, const cgsize_t* m_rmin,
                          const cgsize_t* m_rmax, void* data) {
  return guarded(__func__, [&] {
    Node& array = array_at_position(A);
    const Dims dims = array.dims();
    read_part(array,
              general_part(dims, rind_for(*array.parent(), dims), range_to_read(s_rmin, s_rmax),
                           {m_type, m_numdim, m_dimvals, {m_rmin, m_rmax}}),
              data);
  });
}

int cg_array_write(const char* ArrayName, DataType_t DataType, int DataDimension,
                   const cgsize_t* DimensionVector, const void* Data) {
  return guarded(__func__, [&] {
    create_whole_array(new_array_at_position(ArrayName, DataDimension, DimensionVector), ArrayName,
                       DataType, Data, nullptr);
  });
}

int cg_array_general_write(const char* arrayname, DataType_t s_type, int s_numdim,
                           const cgsize_t* s_dimvals, const cgsize_t* s_rmin,
                           const cgsize_t* s_rmax, DataType_t m_type, int m_numdim,
                           const cgsize_t* m_dimvals, const cgsize_t* m_rmin,
                           const cgsize_t* m_rmax, const void* data) {
  return guarded(__func__, [&] {
    write_array(new_array_at_position(arrayname, s_numdim, s_dimvals), arrayname, s_type,
                {s_rmin, s_rmax}, {m_type, m_numdim, m_dimvals, {m_rmin, m_rmax}}, data, nullptr);
  });
}

}  // extern "C"
