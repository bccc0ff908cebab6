#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "Shared Message (Version 1 to 3)": replaces a message whose flag kShared is set.
struct SharedMessage {
  static constexpr const char* kTitle = "Shared Message";
  static constexpr std::size_t kHeapIdSize = 8;

  enum class Type : std::uint8_t { not_shared = 0, in_heap = 1, committed = 2, here = 3 };

  std::uint8_t version = 3;
  Type type = Type::committed;
  Address object_header;  ///< the header of the committed datatype
  ByteView heap_id;       ///< in the shared message heap, if type is in_heap

  [[nodiscard]] bool is_in_heap() const { return version == 3 && type == Type::in_heap; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Version", s.version);
    v.versions("Version", s.version, 1, 3);
    v.u8("Type", s.type);
    if constexpr (V::kDecodes) {
      if (s.version < 3) s.type = Type::committed;  // not used in these versions
    }
    if (s.version == 1) {
      v.reserved("Reserved", 6);
      // A symbol table entry without its end; the name offset has the size of lengths and is not
      // used.
      v.reserved("Link Name Offset", v.file().size_of_lengths);
    }
    if (s.is_in_heap()) {
      v.view("Fractal Heap ID", s.heap_id, kHeapIdSize);
    } else {
      v.check(s.type == Type::committed, "Type", "is neither 1 nor 2");
      v.address("Address", s.object_header);
    }
  }
};

}  // namespace onecast::format
