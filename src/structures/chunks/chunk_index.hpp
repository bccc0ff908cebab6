#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/address.hpp"
#include "base/namespaces.hpp"
#include "structures/chunks/chunk_grid.hpp"

namespace onecast::structures {

/// A chunk as the index has it.
struct ChunkEntry {
  ChunkCoordinates at;
  Address address;
  std::uint64_t size = 0;  ///< bytes in the file
  std::uint32_t filter_mask = 0;
};

/// Where the chunks of one dataset lie. Several threads may ask at the same time.
///
/// Throws Error (format): what is asked lies in a part of the index that is damaged. Work and
/// memory are bounded by the bytes of the index, and of for_each_in also by the chunks of the box.
class ChunkIndex {
 public:
  using Each = std::function<void(const ChunkEntry&)>;

  ChunkIndex() = default;
  ChunkIndex(const ChunkIndex&) = delete;
  ChunkIndex& operator=(const ChunkIndex&) = delete;
  virtual ~ChunkIndex() = default;

  /// All chunks that exist, also those outside of the extent, each once.
  virtual void for_each(const Each& each) const = 0;
  /// Those of a box, which lies inside of the extent. Looks only where they can be.
  virtual void for_each_in(const ChunkBox& box, const Each& each) const = 0;
  /// Asking is as fast as a table.
  [[nodiscard]] virtual bool is_computed() const { return false; }

  [[nodiscard]] virtual std::optional<ChunkEntry> find(const ChunkCoordinates& at) const {
    std::optional<ChunkEntry> found;
    for_each_in({at, at}, [&](const ChunkEntry& entry) { found = entry; });
    return found;
  }
};

}  // namespace onecast::structures
