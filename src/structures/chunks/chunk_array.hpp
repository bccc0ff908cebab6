#pragma once

#include <fmt/format.h>

#include <mutex>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "structures/chunks/chunk_index.hpp"
#include "structures/chunks/chunk_numbering.hpp"
#include "structures/chunks/element_stretch.hpp"
#include "structures/metadata_source.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::structures {

/// The index of chunks in a fixed or extensible array, by chunk number.
template <class Array>
class ChunkArray final : public ChunkIndex {
 public:
  /// Reads the array's header.
  ChunkArray(MetadataSource& source, const ChunkGrid& grid, const ChunkNumbering& numbering,
             Address header, bool filtered)
      : source_(source),
        numbering_(numbering),
        chunk_bytes_(grid.bytes),
        filtered_(filtered),
        array_(source, header, filtered),
        asked_(array_) {
    if (numbering.needed(grid) > array_.size())
      reader_at(source, header, "array of chunks")
          .fail("Max Num Entries", fmt::format("has room for {} elements, the dataset needs {}",
                                               array_.size(), numbering.needed(grid)));
  }

  void for_each(const Each& each) const override {
    Array array(array_);
    VisitedExtents visited;
    const std::uint64_t end = std::min(array.size(), numbering_.size());
    for (std::uint64_t n = 0; n < end;) {
      const ElementStretch stretch = array.stretch(n);
      if (!stretch.elements.empty()) {
        visited.add(stretch.address, stretch.elements.size(), source_.file(), "array of chunks");
        for (; n < end && n - stretch.first < stretch.count; ++n)
          give(stretch, n, numbering_.coordinates(n), each);
      }
      n = stretch.first + stretch.count;
    }
  }

  void for_each_in(const ChunkBox& box, const Each& each) const override {
    Array array(array_);
    ElementStretch stretch;
    numbering_.for_each_row(box, [&](std::uint64_t first, std::uint64_t count, ChunkCoordinates& at,
                                     std::uint64_t& moving) {
      for (std::uint64_t n = first; n < first + count; ++n, ++moving) {
        if (n < stretch.first || n - stretch.first >= stretch.count) stretch = array.stretch(n);
        if (!stretch.elements.empty()) give(stretch, n, at, each);
      }
    });
  }

  [[nodiscard]] std::optional<ChunkEntry> find(const ChunkCoordinates& at) const override {
    const std::uint64_t number = numbering_.number(at);
    ElementStretch stretch;
    {
      // Callers often ask for adjacent chunks in turn.
      const std::scoped_lock lock(asking_);
      if (number < found_.first || number - found_.first >= found_.count)
        found_ = asked_.stretch(number);
      stretch = found_;
    }
    std::optional<ChunkEntry> found;
    if (!stretch.elements.empty())
      give(stretch, number, at, [&](const ChunkEntry& entry) { found = entry; });
    return found;
  }

 private:
  void give(const ElementStretch& stretch, std::uint64_t number, const ChunkCoordinates& at,
            const Each& each) const {
    const ChunkElement element = array_.reader().element(stretch, number, source_.file());
    if (!element.address.is_defined()) return;
    each({at, element.address, filtered_ ? element.chunk_size : chunk_bytes_, element.filter_mask});
  }

  MetadataSource& source_;
  ChunkNumbering numbering_;
  std::uint64_t chunk_bytes_;
  bool filtered_;
  Array array_;  ///< copied by each walk
  mutable Mutex asking_;
  mutable Array asked_;           ///< for find()
  mutable ElementStretch found_;  ///< the stretch that find() returned last
};

}  // namespace onecast::structures
