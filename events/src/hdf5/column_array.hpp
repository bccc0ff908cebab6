#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "compression/compression.hpp"
#include "hdf5/encode_columns.hpp"
#include "onecast/objects/group.hpp"

namespace onecast::events::hdf5 {

/// Consecutive elements of a stored array, and the rank that holds them.
struct ArrayPiece {
  std::uint64_t first = 0, end = 0;
  int rank = 0;
  SharedBytes bytes = {};  ///< of the elements from `begins` on; null on other ranks
  std::uint64_t begins = 0;
  bool counts = false;  ///< elements are 64-bit integers equal to their positions, on no rank
  bool is_open = true;  ///< the next elements of the rank may extend it
};

/// A chunk that is to be written.
struct ChunkWork {
  std::size_t array = 0;
  std::uint64_t first = 0, end = 0;  ///< its elements
  bool is_rest = false;              ///< it will be written again with more elements
  int owner = 0;                     ///< the rank that encodes and writes it
  std::vector<ArrayPiece> pieces = {};
  std::vector<std::byte> stored = {};  ///< in stored form; on the owner
  std::uint64_t stored_bytes = 0;
};

/// A stored array that grows: a dataset, and elements that wait until they fill a chunk. All ranks
/// know how many wait; each holds its own pieces. An array that fits one chunk has a chunk of its
/// size.
class ColumnArray {
 public:
  /// @param chunk elements of a chunk
  ColumnArray(std::string name, Datatype type, const Compression& compression, std::uint64_t chunk);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t element_bytes() const { return type_.size(); }
  [[nodiscard]] std::uint64_t chunk() const { return chunk_; }
  /// Returns the number of elements in the file and of those that wait.
  [[nodiscard]] std::uint64_t total() const { return total_; }

  /// Appends elements. @param bytes null on ranks that do not hold them
  void append(std::uint64_t count, int rank, SharedBytes bytes);
  /// Appends elements that equal their positions.
  void append_counting(std::uint64_t count);
  /// Takes the full chunks that more elements follow, for the rank that holds them. @param array
  /// for ChunkWork
  void take_full(std::size_t array, int owner, std::vector<ChunkWork>& works);
  /// Takes the elements that wait. They go on waiting, and are written again with more elements.
  void take_rest(std::size_t array, int owner, std::vector<ChunkWork>& works);

  /// Returns a copy of an array that several columns have shared until now; its dataset is to be
  /// copied.
  [[nodiscard]] ColumnArray copy(std::string name);
  /// Places copies of the full chunks of `from`, and writes them on one rank. @return what keeps
  /// that rank from it @replicated
  std::exception_ptr copy_chunks(Group& group, const ColumnArray& from, bool writes);

  struct State {
    std::uint64_t total = 0, full = 0;
  };
  /// Returns the state, and forgets earlier ones.
  State state();
  /// Restores the last state(). The next work cuts off what the dataset has beyond it.
  void restore(const State& state);

  /// Removes the dataset, so that the array is as at the beginning. @replicated
  void remove(Group& group);

  /// Allocates a chunk; called in the order of the array. @replicated
  void place(Group& group, const ChunkWork& work);
  /// Writes the chunk; called on the owner, after place(). @independent
  void write(const ChunkWork& work);
  [[nodiscard]] Dataset& dataset() { return *dataset_; }

  /// Returns the chunk as HDF5 stores it. @param elements the elements of the work
  [[nodiscard]] std::vector<std::byte> encoded(const ChunkWork& work,
                                               std::vector<std::byte> elements) const;

 private:
  [[nodiscard]] std::vector<ArrayPiece> pieces(std::uint64_t first, std::uint64_t end) const;
  void create(Group& group, std::uint64_t elements, bool grows);
  void allocate_chunk(std::uint64_t first, std::uint64_t bytes);

  std::string name_;
  Datatype type_;
  Compression compression_;
  std::uint64_t chunk_;
  std::uint64_t total_ = 0, full_ = 0;  ///< full_: chunks below it are written or being written
  std::vector<ArrayPiece> pieces_;      ///< of elements that wait, or waited before the last round
  std::optional<Dataset> dataset_;
  bool grows_ = false;        ///< the dataset has chunks of chunk_ elements, and can be resized
  std::uint64_t stored_ = 0;  ///< elements of the dataset
  bool has_rest_ = false;     ///< the elements that wait are in the dataset, too
};

}  // namespace onecast::events::hdf5
