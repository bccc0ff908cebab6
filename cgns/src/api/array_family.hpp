#pragma once

#include "api/lookup.hpp"
#include "transfer/transfer.hpp"

/// The functions that coordinates, fields, discrete data, arrays and particles share.
namespace onecast::cgns {

// --- extents
/// The planes of rind of a node, from its child Rind; empty if it has none.
Rind rind_of(Node& container);
/// Returns the extents with the rind on both sides. Throws Failure if the rind has another number
/// of dimensions.
Dims with_rind(Dims dims, const Rind& rind);
/// The extents of arrays at the vertices, cells or faces of a zone, without rind.
Dims dims_at(Node& zone, GridLocation_t location);

// --- arrays in a node
/// The node that holds arrays, and the extents of new arrays, rind included.
struct ArrayHolder {
  Node& node;
  Dims dims;
  Rind rind;
};

/// Checks the extents that a program passed, each at least 1.
Dims checked_dims(int dimensions, const cgsize_t* extents);

/// A box of an array in the form of the API: first and last indices.
struct Range {
  const cgsize_t* first;
  const cgsize_t* last;
  /// True: a range that is as long as the array in each dimension is the whole array, whatever its
  /// indices.
  bool is_to_read = false;
};
inline Range range_to_read(const cgsize_t* first, const cgsize_t* last) {
  return {first, last, true};
}
/// The memory of a general call: the extents of an array in memory, and a box of it, counted from
/// 1.
struct GeneralMemory {
  DataType_t type;
  int dimensions;
  const cgsize_t* dims;
  Range range;
};

/// Returns a part of an array whose elements are contiguous in memory. The range is counted as
/// CG_CONFIG_RIND_INDEX says.
Part packed_part(const Dims& dims, const Rind& rind, Range range, ValueType type);
Part general_part(const Dims& dims, const Rind& rind, Range range, const GeneralMemory& memory);

/// Returns the array of that name. Throws Failure (node not found).
Node& array_named(Node& holder, const char* name);

void read_array(const ArrayHolder& holder, const char* name, DataType_t type, Range range,
                void* out);
void read_array(const ArrayHolder& holder, const char* name, Range range,
                const GeneralMemory& memory, void* out);

/// Creates a whole array; with null elements, only the node. Replaces an existing array if the file
/// may be modified, else throws Failure.
Node& create_whole_array(const ArrayHolder& holder, const char* name, DataType_t type,
                         const void* elements, int* index);

// An existing array keeps its place; the new elements must have its type and its extents.
/// Writes a whole array; with null elements, only the node.
Node& write_array(const ArrayHolder& holder, const char* name, DataType_t type,
                  const void* elements, int* index);
/// Writes a part of an array and creates the array if it is missing. In a file that several ranks
/// have open, each rank writes its own part.
void write_array(const ArrayHolder& holder, const char* name, DataType_t type, Range range,
                 const void* elements, int* index);
void write_array(const ArrayHolder& holder, const char* name, DataType_t stored, Range range,
                 const GeneralMemory& memory, const void* elements, int* index);

}  // namespace onecast::cgns
