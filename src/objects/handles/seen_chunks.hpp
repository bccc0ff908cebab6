#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/allocated_chunks.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace onecast::handles {

/// Returns the coordinates of the chunk that begins at `start`; nothing if none does.
std::optional<ChunkCoordinates> chunk_that_begins(const ChunkGrid& grid, const Shape& start);
/// Throws the Error (invalid_argument) of a start that belongs to no chunk.
[[noreturn]] void reject_start(const std::string& where, const Shape& start);

/// A chunked dataset as this rank sees it.
class SeenChunks {
 public:
  /// Throws Error: state if the file is closed, invalid_argument if the dataset is not chunked.
  explicit SeenChunks(const Dataset& dataset);

  [[noreturn]] void reject(const std::string& what) const;
  [[nodiscard]] Node& node() const { return node_; }
  [[nodiscard]] const DatasetInfo& info() const { return node_.dataset(); }
  [[nodiscard]] const ChunkGrid& grid() const { return chunks_of(info()).grid(); }

  /// Returns the number of the chunk that begins at `start`.
  [[nodiscard]] std::uint64_t number(const Shape& start) const;
  [[nodiscard]] Shape start(std::uint64_t number) const;

  /// Returns true if this rank's chunk differs from the one in the file.
  [[nodiscard]] bool is_in_memory(std::uint64_t number) const;
  /// Returns the bytes of such a chunk that the flush would store.
  [[nodiscard]] StoredBytes from_memory(std::uint64_t number) const;
  /// Returns all chunks with elements of `part`, by number: those in the file, and those in memory.
  [[nodiscard]] LocatedChunks all_of(const Selection& part) const;

 private:
  Node& node_;
};

/// Returns a copy of bytes of the process or of a device.
std::vector<std::byte> copy_of(const Node& dataset, std::span<const std::byte> bytes);

}  // namespace onecast::handles
