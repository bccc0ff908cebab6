#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

#include "session/open_file.hpp"
#include "transfer/box.hpp"

/// Elements of arrays between memory and file: the one way for coordinates, fields, arrays,
/// discrete data and particles.
namespace onecast::cgns {

/// Which ranks take part in a write.
enum class Manner : std::uint8_t {
  equally,   ///< all ranks, with equal elements; @collective @same, does not communicate
  compared,  ///< likewise; other elements are an error of the call; @collective
  alone,     ///< this rank; @independent
};
/// How a part of an array is written by a call of all ranks, of which each may name its own part:
/// in a file that ranks have open, each writes alone.
Manner manner_of_parts(Node& array);

/// Where elements lie in memory: a box of an array of `dims`.
struct MemoryBox {
  Dims dims;
  Box box;
};

/// A part of a stored array and its place in memory.
struct Part {
  Box stored;
  /// Absent: one after the other.
  std::optional<MemoryBox> memory = {};
  ValueType memory_type = ValueType::R8;
};

/// Reads for this rank alone; `out` has room for the part.
void read_part(Node& array, const Part& part, void* out);
/// Writes to an array that exists.
void write_part(Node& array, const Part& part, const void* elements, Manner manner);

/// One array of a collective call; null elements: this rank has no part of it.
struct PartOfArray {
  Node* array;
  Part part;
  void* memory;
};
/// One collective transfer of many arrays; each rank names its own. @param failure what keeps this
/// rank from taking part; all ranks throw it @collective
void write_together(OpenFile& file, const std::vector<PartOfArray>& parts,
                    const std::exception_ptr& failure);
void read_together(OpenFile& file, const std::vector<PartOfArray>& parts,
                   const std::exception_ptr& failure);

/// All ranks throw unless each names this array. @collective
void require_same_array(Node& array);

/// Creates an array and writes `part` of it; null elements: nothing is written, and the array lies
/// in one piece, for ranks to write their parts.
/// @param type of the stored elements
/// @param manner of the write; Manner::alone: the array lies in one piece
Node& create_array(Node& parent, const std::string& name, ValueType type, const Dims& dims,
                   const Part& part, const void* elements, Manner manner = Manner::equally);

}  // namespace onecast::cgns
