#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "format/objects/page_list_message.hpp"
#include "pages/file_range.hpp"
#include "pages/free_space.hpp"
#include "structures/heaps/heap_room.hpp"

namespace onecast::pages {

/// What is free inside of collections of the global heap that are in use: objects that nothing
/// refers to, and what is left at the end. Only of collections whose objects have the indexes that
/// HeapRoom gives: others would have to be read before something is put there.
class HeapFreeSpace {
 public:
  /// Does nothing if some of it is free already.
  /// @returns the collection, if nothing in it is in use any more: then it is not known here
  std::optional<FileRange> add(const HeapRoom& room);
  [[nodiscard]] bool overlaps(const HeapRoom& room) const {
    return space_.overlaps(room.address.value, room.size);
  }
  /// One with room for an object of `size` bytes; all of it is in use then.
  std::optional<HeapRoom> take(std::uint64_t size);
  /// Ascending.
  [[nodiscard]] std::vector<HeapRoom> rooms() const;

  [[nodiscard]] std::size_t count() const { return space_.count(); }
  /// For marks.
  [[nodiscard]] FreeSpace& space() { return space_; }

 private:
  static constexpr std::uint64_t kMostOfCollection = FreeStretch::kMostOfCollection;
  void note(Address collection, std::uint64_t size, Address end);
  [[nodiscard]] HeapRoom room_at(std::uint64_t address, std::uint64_t size) const;

  FreeSpace space_;
  /// Sizes of collections by address; 0: not known. Some may be there no more; they are forgotten
  /// when another is noted where they were.
  std::map<std::uint64_t, std::uint64_t> collections_;
};

}  // namespace onecast::pages
