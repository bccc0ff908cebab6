#pragma once

#include <exception>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/extent_list.hpp"
#include "objects/storage/piece_writer.hpp"
#include "objects/tree/file_state.hpp"

namespace onecast::storage {

/// Are pieces of chunks gathered at the owners of stripes? The same on all ranks.
bool goes_together(const FileState& file);

/// @collective
void write_extents_together(FileState& file, const ExtentList& extents, const OutBuffers& bytes,
                            const std::exception_ptr& failure = {});

/// Writes encoded chunks that have their places: those of all ranks together, or each its own.
class PlacedWriter {
 public:
  explicit PlacedWriter(FileState& file);

  /// What is left of a unit of space belongs to nobody: so neighbours touch, and what lies there
  /// does not depend on who writes them.
  void add(Address address, std::vector<std::byte> bytes);

  /// @collective if pieces go together; then all throw what any throws. Else `failure` becomes what
  /// went wrong, unless it is something before.
  void finish(std::exception_ptr& failure);

 private:
  void write_together(const std::exception_ptr& failure);

  FileState& file_;
  bool together_;
  PieceWriter writer_;
  std::vector<std::pair<Address, std::vector<std::byte>>> pieces_;
};

}  // namespace onecast::storage
