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

/// Elements of a stored array that follow each other, and the rank that has them.
struct ArrayPiece {
  std::uint64_t first = 0, end = 0;
  int rank = 0;
  SharedBytes bytes = {};  ///< of the elements from `begins` on; null on other ranks
  std::uint64_t begins = 0;
  bool counts = false;  ///< the elements are 64-bit integers, each its own place; no rank has them
  bool is_open = true;  ///< the next elements of the rank may become part of it
};

/// A chunk that is to be written.
struct ChunkWork {
  std::size_t array = 0;
  std::uint64_t first = 0, end = 0;  ///< its elements
  bool is_rest = false;              ///< it is written again with what follows
  int owner = 0;                     ///< the rank that encodes and writes it
  std::vector<ArrayPiece> pieces = {};
  std::vector<std::byte> stored = {};  ///< as HDF5 stores it; on the owner
  std::uint64_t stored_bytes = 0;
};

/// A stored array that grows: a dataset, and what waits until it fills a chunk. All ranks know what
/// waits, each has its own pieces. An array of one chunk has one of its size.
class ColumnArray {
 public:
  /// @param chunk elements of a chunk
  ColumnArray(std::string name, Datatype type, const Compression& compression, std::uint64_t chunk);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t element_bytes() const { return type_.size(); }
  [[nodiscard]] std::uint64_t chunk() const { return chunk_; }
  /// Elements in the file, and those that wait.
  [[nodiscard]] std::uint64_t total() const { return total_; }

  /// Elements that follow. @param bytes null on ranks that have not them
  void append(std::uint64_t count, int rank, SharedBytes bytes);
  /// Elements that are their own places.
  void append_counting(std::uint64_t count);
  /// Chunks that are full, behind which something follows, for the rank that has it. @param array
  /// for ChunkWork
  void take_full(std::size_t array, int owner, std::vector<ChunkWork>& works);
  /// What waits, and goes on waiting: it is written again with what follows.
  void take_rest(std::size_t array, int owner, std::vector<ChunkWork>& works);

  /// The array that others shared until now: its elements, of a dataset that is to be copied.
  [[nodiscard]] ColumnArray copy(std::string name);
  /// Gives the full chunks of the array that this one is a copy of places here, and on one rank
  /// writes them. @return what keeps that rank from it @collective @same; does not communicate
  std::exception_ptr copy_chunks(Group& group, const ColumnArray& from, bool writes);

  struct State {
    std::uint64_t total = 0, full = 0;
  };
  /// Forgets what was before it.
  State state();
  /// Of the last state(). What the dataset has beyond that is cut off with the next work.
  void restore(const State& state);

  /// Without a dataset, as at the beginning. @collective @same; does not communicate
  void remove(Group& group);

  /// Makes room for a chunk, in the order of the array. @collective @same; does not communicate
  void place(Group& group, const ChunkWork& work);
  /// On the owner, after place(). @independent
  void write(const ChunkWork& work);
  [[nodiscard]] Dataset& dataset() { return *dataset_; }

  /// The chunk as HDF5 stores it. @param elements those of the work
  [[nodiscard]] std::vector<std::byte> encoded(const ChunkWork& work,
                                               std::vector<std::byte> elements) const;

 private:
  [[nodiscard]] std::vector<ArrayPiece> pieces(std::uint64_t first, std::uint64_t end) const;
  void create(Group& group, std::uint64_t elements, bool grows);
  void place_chunk(std::uint64_t first, std::uint64_t bytes);

  std::string name_;
  Datatype type_;
  Compression compression_;
  std::uint64_t chunk_;
  std::uint64_t total_ = 0, full_ = 0;  ///< full_: below that, chunks are written or being written
  std::vector<ArrayPiece> pieces_;      ///< of what waits, or waited before the last round
  std::optional<Dataset> dataset_;
  bool grows_ = false;        ///< the dataset has chunks of chunk_ elements, and can be resized
  std::uint64_t stored_ = 0;  ///< elements of the dataset
  bool has_rest_ = false;     ///< what waits is in the dataset, too
};

}  // namespace onecast::events::hdf5
