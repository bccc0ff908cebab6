#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "III.E. Disk Format: Level 1E - Global Heap": the prefix of a collection, whose objects follow.
struct GlobalHeapCollection {
  static constexpr const char* kTitle = "A Global Heap Collection";

  std::uint64_t collection_size = 0;  ///< of the whole collection, including this prefix

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "GCOL");
    v.version("Version", 1);
    v.reserved("Reserved", 3);
    v.length("Collection Size", s.collection_size);
    v.pad("Padding", 8);
  }
};

/// An object of a collection. Object 0 is the free space at the collection's end; its size includes
/// this prefix, and it has no data.
struct GlobalHeapObject {
  static constexpr const char* kTitle = "Global Heap Object";

  std::uint16_t index = 0;
  std::uint16_t reference_count = 0;
  std::uint64_t free_size = 0;  ///< for object 0 only
  ByteView data;                ///< for all others

  [[nodiscard]] bool is_free_space() const { return index == 0; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u16("Heap Object Index", s.index);
    v.u16("Reference Count", s.reference_count);
    v.reserved("Reserved", 4);
    std::uint64_t size = s.is_free_space() ? s.free_size : s.data.size();
    v.length("Object Size", size);
    v.pad("Padding", 8);
    if constexpr (V::kDecodes) s.free_size = s.is_free_space() ? size : 0;
    if (s.is_free_space()) return;
    v.view("Object Data", s.data, size);
    v.pad("Padding", 8);
  }
};

/// The place of an object in the global heap.
struct GlobalHeapId {
  static constexpr const char* kTitle = "Global Heap ID";

  Address collection;
  std::uint32_t index = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Collection Address", s.collection);
    v.u32("Object Index", s.index);
  }
};

/// The element of variable length in a dataset or an attribute.
struct VariableLengthReference {
  static constexpr const char* kTitle = "Variable-length Element";

  std::uint32_t length = 0;  ///< in elements of the base type
  GlobalHeapId id;

  static std::size_t size(const FileContext& file) { return 8 + std::size_t{file.size_of_offsets}; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u32("Length", s.length);
    v.record("Global Heap ID", s.id);
  }
};

}  // namespace onecast::format
