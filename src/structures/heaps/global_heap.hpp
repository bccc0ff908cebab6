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
  /// `bytes`: the whole collection, which they stay views of.
  HeapCollection(ByteView bytes, Address address, const FileContext& file);

  /// Throws Error (format) if there is no such object.
  [[nodiscard]] ByteView object(std::uint32_t index) const { return find(index).data; }
  /// All bytes of an object with its prefix. Offsets are from the collection's start.
  struct Extent {
    std::uint64_t offset;
    std::uint64_t size;

    auto operator<=>(const Extent&) const = default;
  };
  [[nodiscard]] Extent extent(std::uint32_t index) const;
  /// Behind the last object.
  [[nodiscard]] Extent free_space() const { return {end_, bytes_.size() - end_}; }
  /// Of the collection.
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] std::size_t object_count() const { return objects_.size(); }
  /// Does an object begin or end there, or the free space?
  [[nodiscard]] bool parts_at(std::uint64_t offset) const;
  /// Do all objects have the indexes that HeapRoom gives?
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
  std::uint64_t end_;  ///< of the last object
  bool has_indexes_of_places_ = true;
};

/// Reads objects of the global heap: the values of elements of variable length. Each collection is
/// listed once, at its first use.
class GlobalHeap {
 public:
  explicit GlobalHeap(MetadataSource& source) : source_(&source) {}

  /// The bytes of an object; throws Error (format) if there is none.
  ByteView object(const GlobalHeapId& id) { return collection(id.collection).object(id.index); }
  const HeapCollection& collection(Address address);
  /// Null if it was not listed yet.
  [[nodiscard]] const HeapCollection* known(Address address) const {
    const auto known = collections_.find(address);
    return known == collections_.end() ? nullptr : &known->second;
  }

  /// How many collections were listed.
  [[nodiscard]] std::size_t collections() const { return collections_.size(); }

 private:
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

}  // namespace onecast::structures
