#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

#include "session/open_file.hpp"
#include "transfer/box.hpp"

/// Transfers of elements between memory and file, for coordinates, fields, arrays, discrete data
/// and particles.
namespace onecast::cgns {

/// The ranks that take part in a write.
enum class Manner : std::uint8_t {
  equally,   ///< all ranks, with equal elements; @replicated
  compared,  ///< all ranks, and the call fails if elements differ; @collective
  alone,     ///< this rank; @independent
};
/// The manner in which a call of all ranks writes parts that may differ between ranks: in a file
/// that several ranks have open, each rank writes alone.
Manner manner_of_parts(Node& array);

/// The place of elements in memory: a box of an array of `dims`.
struct MemoryBox {
  Dims dims;
  Box box;
};

/// A part of a stored array and its place in memory.
struct Part {
  Box stored;
  /// Absent: contiguous.
  std::optional<MemoryBox> memory = {};
  ValueType memory_type = ValueType::R8;
};

/// Reads on this rank alone; `out` has room for the part.
void read_part(Node& array, const Part& part, void* out);
/// Writes to an existing array.
void write_part(Node& array, const Part& part, const void* elements, Manner manner);

/// One array in a collective call; null memory: this rank has no part of it.
struct PartOfArray {
  Node* array;
  Part part;
  void* memory;
};
/// Write or read many arrays in one collective transfer; each rank names its own. @param failure an
/// error that keeps this rank from taking part; all ranks throw it @collective
void write_together(OpenFile& file, const std::vector<PartOfArray>& parts,
                    const std::exception_ptr& failure);
void read_together(OpenFile& file, const std::vector<PartOfArray>& parts,
                   const std::exception_ptr& failure);

/// Throws on all ranks unless each rank names this array. @collective
void require_same_array(Node& array);

/// Creates an array and writes `part` of it. With null elements, writes nothing and makes the array
/// contiguous, so that ranks can write their parts.
/// @param type the type of the stored elements
/// @param manner the manner of the write; with Manner::alone the array is contiguous
Node& create_array(Node& parent, const std::string& name, ValueType type, const Dims& dims,
                   const Part& part, const void* elements, Manner manner = Manner::equally);

}  // namespace onecast::cgns
