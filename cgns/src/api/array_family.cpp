#include "api/array_family.hpp"

namespace onecast::cgns {

namespace {

/// The ranks that pass the elements.
enum class Elements : bool {
  of_all,   ///< all ranks pass equal elements
  of_each,  ///< each rank passes its own part
};

/// Creates the array, or uses the existing one if it has this form, and writes the elements unless
/// they are null.
Node& write_part_of_array(const ArrayHolder& holder, const char* name, ValueType stored,
                          const Part& part, const void* elements, Elements whose, int* index) {
  const std::string checked = checked_name(name);
  Node* array = holder.node.find(checked, Label::DataArray);
  const bool each = whose == Elements::of_each;
  if (array == nullptr) {
    const bool alone = each && holder.node.tree().has_ranks();
    array = &create_array(holder.node, checked, stored, holder.dims, part, elements,
                          alone ? Manner::alone : Manner::equally);
  } else {
    if (array->type() != stored || array->dims() != holder.dims)
      throw Failure(array->path() + " has another type or other dimensions than are to be written");
    if (elements != nullptr)
      write_part(*array, part, elements, each ? manner_of_parts(*array) : Manner::equally);
  }
  if (index != nullptr) *index = index_of(*array);
  return *array;
}

Counting counting() {
  return session().configuration.rind_at_core ? Counting::from_core : Counting::from_first;
}

bool is_as_long_as(const Dims& dims, const Range& range) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto first = static_cast<std::uint64_t>(range.first[i]);
    const auto last = static_cast<std::uint64_t>(range.last[i]);
    if (last - first + 1 != dims[i]) return false;
  }
  return true;
}

Box stored_box(const Dims& dims, const Rind& rind, const Range& range) {
  const bool is_given = range.first != nullptr && range.last != nullptr;
  if (range.is_to_read && is_given && is_as_long_as(dims, range)) return all_of(dims);
  return box_of(dims, rind, counting(), range.first, range.last);
}

}  // namespace

Dims checked_dims(int dimensions, const cgsize_t* extents) {
  check_dimension_count(dimensions);
  if (extents == nullptr) throw Failure("the dimensions of an array are missing");
  Dims dims;
  for (int i = 0; i < dimensions; ++i) {
    if (extents[i] < 1) throw failure("dimension ", i + 1, " of an array is ", extents[i]);
    dims.push_back(static_cast<std::uint64_t>(extents[i]));
  }
  return dims;
}

Rind rind_of(Node& container) {
  Node* rind = single(container, Label::Rind);
  return rind == nullptr ? Rind() : read_numbers<std::int32_t>(*rind);
}

Dims with_rind(Dims dims, const Rind& rind) {
  if (rind.empty()) return dims;
  if (rind.size() != 2 * dims.size())
    throw failure("there are ", rind.size(), " numbers of rind planes for ", dims.size(),
                  " dimensions");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (rind[2 * i] < 0 || rind[2 * i + 1] < 0) throw Failure("a number of rind planes is below 0");
    dims[i] +=
        static_cast<std::uint64_t>(rind[2 * i]) + static_cast<std::uint64_t>(rind[2 * i + 1]);
  }
  return dims;
}

Dims dims_at(Node& zone, GridLocation_t location) {
  const auto dimensions = static_cast<std::size_t>(index_dimension(zone));
  const auto sizes = read_numbers<std::int64_t>(zone, 3 * dimensions);
  Dims dims;
  for (std::size_t i = 0; i < dimensions; ++i) {
    // A face has vertices in its own direction, and cells in the others.
    const bool is_own = (location == IFaceCenter && i == 0) ||
                        (location == JFaceCenter && i == 1) || (location == KFaceCenter && i == 2);
    const bool at_vertices = location == Vertex || is_own;
    const std::int64_t extent = sizes[at_vertices ? i : i + dimensions];
    if (extent < 0) throw Failure(zone.path() + ": a size of the zone is below 0");
    dims.push_back(static_cast<std::uint64_t>(extent));
  }
  return dims;
}

Part packed_part(const Dims& dims, const Rind& rind, Range range, ValueType type) {
  return {.stored = stored_box(dims, rind, range), .memory_type = type};
}

Part general_part(const Dims& dims, const Rind& rind, Range range, const GeneralMemory& memory) {
  const Dims extents = checked_dims(memory.dimensions, memory.dims);
  return {.stored = stored_box(dims, rind, range),
          .memory = MemoryBox{extents, box_of(extents, {}, Counting::from_first, memory.range.first,
                                              memory.range.last)},
          .memory_type = value_type_of(memory.type)};
}

Node& array_named(Node& holder, const char* name) {
  return required(holder, trimmed(name == nullptr ? "" : name), Label::DataArray);
}

void read_array(const ArrayHolder& holder, const char* name, DataType_t type, Range range,
                void* out) {
  Node& array = array_named(holder.node, name);
  range.is_to_read = true;
  read_part(array, packed_part(array.dims(), holder.rind, range, value_type_of(type)), out);
}

void read_array(const ArrayHolder& holder, const char* name, Range range,
                const GeneralMemory& memory, void* out) {
  Node& array = array_named(holder.node, name);
  range.is_to_read = true;
  read_part(array, general_part(array.dims(), holder.rind, range, memory), out);
}

Node& write_array(const ArrayHolder& holder, const char* name, DataType_t type,
                  const void* elements, int* index) {
  const ValueType stored = value_type_of(type);
  return write_part_of_array(holder, name, stored,
                             {.stored = all_of(holder.dims), .memory_type = stored}, elements,
                             Elements::of_all, index);
}

Node& create_whole_array(const ArrayHolder& holder, const char* name, DataType_t type,
                         const void* elements, int* index) {
  const ValueType stored = value_type_of(type);
  Node& array = create_array(holder.node, checked_name(name), stored, holder.dims,
                             {.stored = all_of(holder.dims), .memory_type = stored}, elements);
  if (index != nullptr) *index = index_of(array);
  return array;
}

void write_array(const ArrayHolder& holder, const char* name, DataType_t type, Range range,
                 const void* elements, int* index) {
  const ValueType stored = value_type_of(type);
  write_part_of_array(holder, name, stored, packed_part(holder.dims, holder.rind, range, stored),
                      elements, Elements::of_each, index);
}

void write_array(const ArrayHolder& holder, const char* name, DataType_t stored, Range range,
                 const GeneralMemory& memory, const void* elements, int* index) {
  write_part_of_array(holder, name, value_type_of(stored),
                      general_part(holder.dims, holder.rind, range, memory), elements,
                      Elements::of_each, index);
}

}  // namespace onecast::cgns
