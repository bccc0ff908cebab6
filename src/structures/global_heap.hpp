#pragma once

#include <cstdint>
#include <unordered_map>

#include "format/infra/global_heap.hpp"
#include "structures/metadata_source.hpp"
#include "structures/visited_extents.hpp"

namespace onecast {

/// Reads objects of the global heap: the values of elements of variable length. Each collection is
/// listed once, at its first use.
class GlobalHeap {
 public:
  explicit GlobalHeap(MetadataSource& source) : source_(&source) {}

  /// The bytes of an object; throws Error (format) if there is none.
  ByteView object(const GlobalHeapId& id);

  /// How many collections were listed.
  [[nodiscard]] std::size_t collections() const { return collections_.size(); }

 private:
  using Collection = std::unordered_map<std::uint32_t, ByteView>;

  const Collection& collection(Address address);

  MetadataSource* source_;
  std::unordered_map<Address, Collection> collections_;
  VisitedExtents visited_;
};

/// The bytes of one object, where only one is wanted.
ByteView global_heap_object(MetadataSource& source, Address collection, std::uint32_t index);

}  // namespace onecast
