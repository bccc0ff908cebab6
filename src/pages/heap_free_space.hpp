#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "format/objects/page_list_message.hpp"
#include "pages/free_space.hpp"
#include "structures/heaps/heap_room.hpp"

namespace onecast::pages {

/// The free space inside collections of the global heap that are in use: objects that nothing
/// refers to, and the rest at the end. Only collections whose objects have the indexes that
/// HeapRoom computes are tracked; another one would have to be read before an object is put there.
class HeapFreeSpace {
 public:
  /// Does nothing if a part of it is already free.
  /// @returns the collection, if nothing in it is in use any more; its space is then no longer
  /// tracked here
  std::optional<FileRange> add(const HeapRoom& room);
  [[nodiscard]] bool overlaps(const HeapRoom& room) const {
    return space_.overlaps(room.address.value, room.size);
  }
  /// Takes room for an object of `size` bytes; the whole room counts as used.
  std::optional<HeapRoom> take(std::uint64_t size);
  /// The rooms in ascending order.
  [[nodiscard]] std::vector<HeapRoom> rooms() const;

  [[nodiscard]] std::size_t count() const { return space_.count(); }
  /// The underlying free space, for marks.
  [[nodiscard]] FreeSpace& space() { return space_; }

 private:
  static constexpr std::uint64_t kMostOfCollection = FreeStretch::kMostOfCollection;
  void note(Address collection, std::uint64_t size, Address end);
  [[nodiscard]] HeapRoom room_at(std::uint64_t address, std::uint64_t size) const;

  FreeSpace space_;
  /// The sizes of collections by address; 0: not known. Some collections may not exist any more; an
  /// entry is erased when another collection is noted in its place.
  std::map<std::uint64_t, std::uint64_t> collections_;
};

}  // namespace onecast::pages
