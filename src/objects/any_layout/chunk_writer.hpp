#pragma once

#include <exception>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/extent_list.hpp"
#include "objects/elements/piece_writer.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::any_layout {

/// Returns true if pieces of chunks are gathered at the stripe owners. Equal on all ranks.
bool goes_together(const FileState& file);

/// @collective
void write_extents_together(FileState& file, const ExtentList& extents, const OutBuffers& bytes,
                            const std::exception_ptr& failure = {});

/// Writes encoded chunks that have their places: those of all ranks in one collective transfer, or
/// those of this rank.
class ChunkWriter {
 public:
  explicit ChunkWriter(FileState& file);

  /// Adds a chunk, with zeros in the rest of its last unit of space, so that neighbours are
  /// adjacent and the bytes do not depend on which rank writes them.
  void add(Address address, std::vector<std::byte> bytes);

  /// Writes what is left. @collective if the chunks are gathered at the stripe owners; then all
  /// ranks throw the error of any. Otherwise `failure` becomes the error, unless it holds an
  /// earlier one.
  void finish(std::exception_ptr& failure);

 private:
  void write_together(const std::exception_ptr& failure);

  FileState& file_;
  bool together_;
  PieceWriter writer_;
  std::vector<std::pair<Address, std::vector<std::byte>>> pieces_;
};

}  // namespace onecast::any_layout
