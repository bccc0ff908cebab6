#pragma once

#include "api/lookup.hpp"
#include "transfer/transfer.hpp"

/// The functions that coordinates, fields, discrete data, arrays and particles have in common.
namespace onecast::cgns {

// --- extents
/// Planes of rind of a node that has a child Rind; none: empty.
Rind rind_of(Node& container);
/// Extents with the rind on both sides. Throws Failure if the rind has another number of
/// dimensions.
Dims with_rind(Dims dims, const Rind& rind);
/// The extents of what lies at vertices, cells or faces of a zone, without rind.
Dims dims_at(Node& zone, GridLocation_t location);

// --- arrays in a node
/// The node in which arrays lie, and the extents of new ones, rind included.
struct ArrayHolder {
  Node& node;
  Dims dims;
  Rind rind;
};

/// Extents as the API gives them: 1 to 12, each at least 1.
Dims checked_dims(int dimensions, const cgsize_t* extents);

/// A box of an array as the API has it: first and last indices.
struct Range {
  const cgsize_t* first;
  const cgsize_t* last;
  /// One as long as the array in each dimension is all of it, whatever its indices.
  bool is_to_read = false;
};
inline Range range_to_read(const cgsize_t* first, const cgsize_t* last) {
  return {first, last, true};
}
/// Memory of a general call: the extents of an array in memory, and a box of it from 1.
struct GeneralMemory {
  DataType_t type;
  int dimensions;
  const cgsize_t* dims;
  Range range;
};

/// The part of an array that lies one element after another in memory. The range counts as
/// CG_CONFIG_RIND_INDEX says.
Part packed_part(const Dims& dims, const Rind& rind, Range range, ValueType type);
Part general_part(const Dims& dims, const Rind& rind, Range range, const GeneralMemory& memory);

/// An array of the node, by name; Failure (node not found).
Node& array_named(Node& holder, const char* name);

void read_array(const ArrayHolder& holder, const char* name, DataType_t type, Range range,
                void* out);
void read_array(const ArrayHolder& holder, const char* name, Range range,
                const GeneralMemory& memory, void* out);

/// Creates a whole array; null elements: only the node. An existing one is replaced where the file
/// may be modified, else Failure.
Node& create_whole_array(const ArrayHolder& holder, const char* name, DataType_t type,
                         const void* elements, int* index);

// An existing array keeps its place, and must have the type and the extents of what is written.
/// Writes a whole array; null elements: only the node.
Node& write_array(const ArrayHolder& holder, const char* name, DataType_t type,
                  const void* elements, int* index);
/// Writes a part of an array, which is created if it is missing. In a file that ranks have open,
/// each writes its own part.
void write_array(const ArrayHolder& holder, const char* name, DataType_t type, Range range,
                 const void* elements, int* index);
void write_array(const ArrayHolder& holder, const char* name, DataType_t stored, Range range,
                 const GeneralMemory& memory, const void* elements, int* index);

}  // namespace onecast::cgns
