#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/address.hpp"
#include "base/namespaces.hpp"
#include "structures/chunks/chunk_grid.hpp"

namespace onecast::structures {

/// A chunk, as the index describes it.
struct ChunkEntry {
  ChunkCoordinates at;
  Address address;
  std::uint64_t size = 0;  ///< bytes in the file
  std::uint32_t filter_mask = 0;
};

/// The index of the chunks of one dataset. Several threads may use it at the same time.
///
/// Throws Error (format) if a needed part of the index is damaged. Work and memory are bounded by
/// the size of the index, and in for_each_in also by the number of chunks in the box.
class ChunkIndex {
 public:
  using Each = std::function<void(const ChunkEntry&)>;

  ChunkIndex() = default;
  ChunkIndex(const ChunkIndex&) = delete;
  ChunkIndex& operator=(const ChunkIndex&) = delete;
  virtual ~ChunkIndex() = default;

  /// Visits all existing chunks once, also those outside the extent.
  virtual void for_each(const Each& each) const = 0;
  /// Visits the chunks of a box, which lies inside the extent. Reads only what may lead to them.
  virtual void for_each_in(const ChunkBox& box, const Each& each) const = 0;
  /// True if a lookup is as fast as one in a table.
  [[nodiscard]] virtual bool is_computed() const { return false; }

  [[nodiscard]] virtual std::optional<ChunkEntry> find(const ChunkCoordinates& at) const {
    std::optional<ChunkEntry> found;
    for_each_in({at, at}, [&](const ChunkEntry& entry) { found = entry; });
    return found;
  }
};

}  // namespace onecast::structures
