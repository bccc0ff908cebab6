#pragma once

#include <compare>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/namespaces.hpp"
#include "format/infra/global_heap.hpp"
#include "structures/metadata_source.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::structures {

/// The objects of one collection, by index.
class HeapCollection {
 public:
  /// `bytes` is the whole collection; objects are views of it.
  HeapCollection(ByteView bytes, Address address, const FileContext& file);

  /// Throws Error (format) if there is no such object.
  [[nodiscard]] ByteView object(std::uint32_t index) const { return find(index).data; }
  /// An object with its prefix. `offset` is from the collection's start.
  struct Extent {
    std::uint64_t offset;
    std::uint64_t size;

    auto operator<=>(const Extent&) const = default;
  };
  [[nodiscard]] Extent extent(std::uint32_t index) const;
  /// The space after the last object.
  [[nodiscard]] Extent free_space() const { return {end_, bytes_.size() - end_}; }
  /// The size of the collection.
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] std::size_t object_count() const { return objects_.size(); }
  /// True if an object or the free space begins or ends there.
  [[nodiscard]] bool parts_at(std::uint64_t offset) const;
  /// True if all objects have the indexes that HeapRoom computes.
  [[nodiscard]] bool has_indexes_of_places() const { return has_indexes_of_places_; }

 private:
  struct Object {
    std::uint16_t index;
    ByteView data;
  };
  [[nodiscard]] const Object& find(std::uint32_t index) const;
  [[nodiscard]] Extent extent(const Object& object) const;

  std::vector<Object> objects_;  ///< by index
  ByteView bytes_;
  Address address_;
  const FileContext* file_;
  std::uint64_t end_;  ///< the end of the last object
  bool has_indexes_of_places_ = true;
};

/// Reads objects of the global heap: values of variable length. The objects of each collection are
/// listed at its first use.
class GlobalHeap {
 public:
  explicit GlobalHeap(MetadataSource& source) : source_(&source) {}

  /// The bytes of an object. Throws Error (format) if there is none.
  ByteView object(const GlobalHeapId& id) { return collection(id.collection).object(id.index); }
  const HeapCollection& collection(Address address);
  /// Null if the collection was not listed yet.
  [[nodiscard]] const HeapCollection* known(Address address) const {
    const auto known = collections_.find(address);
    return known == collections_.end() ? nullptr : &known->second;
  }

  /// The number of collections that were listed.
  [[nodiscard]] std::size_t collections() const { return collections_.size(); }

 private:
  MetadataSource* source_;
  std::unordered_map<Address, HeapCollection> collections_;
  VisitedExtents visited_;
};

/// The size of a collection, including its prefix, as the prefix says; checked to be at least that
/// of the prefix.
std::uint64_t heap_collection_size(ByteView prefix, Address address, const FileContext& file);
/// The size of the prefix.
std::uint64_t heap_prefix_size(const FileContext& file);

/// The bytes of one object, for callers that need only one.
ByteView global_heap_object(MetadataSource& source, Address collection, std::uint32_t index);

}  // namespace onecast::structures
