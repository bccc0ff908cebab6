#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "format/infra/global_heap.hpp"
#include "structures/metadata_source.hpp"
#include "structures/visited_extents.hpp"

namespace onecast {

/// The objects of one collection, by index.
class HeapCollection {
 public:
  /// `bytes`: the whole collection, which they stay views of.
  HeapCollection(ByteView bytes, Address address, const FileContext& file);

  /// Throws Error (format) if there is no such object.
  [[nodiscard]] ByteView object(std::uint32_t index) const;
  [[nodiscard]] std::size_t size() const { return objects_.size(); }

 private:
  struct Object {
    std::uint16_t index;
    ByteView data;
  };

  std::vector<Object> objects_;  ///< by index
  Address address_;
  const FileContext* file_;
};

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
  const HeapCollection& collection(Address address);

  MetadataSource* source_;
  std::unordered_map<Address, HeapCollection> collections_;
  VisitedExtents visited_;
};

/// What a collection's prefix says its size is, that of the prefix included; checked to be at least
/// that.
std::uint64_t heap_collection_size(ByteView prefix, Address address, const FileContext& file);
/// Bytes of that prefix.
std::uint64_t heap_prefix_size(const FileContext& file);

/// The bytes of one object, where only one is wanted.
ByteView global_heap_object(MetadataSource& source, Address collection, std::uint32_t index);

}  // namespace onecast
