#pragma once

#include <string_view>

#include "base/namespaces.hpp"
#include "format/infra/global_heap.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "VIII.B. Dataspace Reference Encoding": the object of the global heap for a region reference.
/// The selection follows.
struct RegionReferenceObject {
  static constexpr const char* kTitle = "Region Reference";

  Address object;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Object Address", s.object);
  }
};

/// The element of an object reference.
struct ObjectReferenceElement {
  static constexpr const char* kTitle = "Object Reference";

  Address object;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Object Address", s.object);
  }
};

/// The start of an element of a revised reference: "Reference Encoding (Revised)".
struct RevisedReferenceElement {
  static constexpr const char* kTitle = "Revised Reference";
  static constexpr std::uint8_t kExternal = 0x01;

  std::uint8_t type = 0;  ///< 2 object, 3 region, 4 attribute; 0: never set
  std::uint8_t flags = 0;

  /// True if the element holds the whole reference: only the token of an object in the same file
  /// fits.
  [[nodiscard]] bool is_whole() const { return type == 2 && flags == 0; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Reference Type", s.type);
    v.u8("Flags", s.flags);
  }
};

/// The place of the rest in the global heap, if it is not the token of an object.
struct RevisedReferenceHeapId {
  static constexpr const char* kTitle = "Revised Reference";

  std::uint32_t size = 0;
  GlobalHeapId id;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u32("Size", s.size);
    v.record("Global Heap ID", s.id);
  }
};

/// The rest: the token of the object; the name of its file, if it is in another file; for a region
/// its selection; for an attribute its name.
struct RevisedReferenceBody {
  static constexpr const char* kTitle = "Revised Reference";

  RevisedReferenceElement element;  ///< context
  Address token;
  std::string_view file_name;
  std::uint32_t rank = 0;  ///< of the region's dataspace
  ByteView selection;
  std::string_view attribute_name;

  [[nodiscard]] RevisedReferenceBody context() const {
    RevisedReferenceBody c;
    c.element = element;
    return c;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    auto token_size = static_cast<std::uint8_t>(v.file().size_of_offsets);
    v.u8("Token Size", token_size);
    v.require(token_size == v.file().size_of_offsets, "Token Size", "tokens that are no addresses");
    v.address("Object Token", s.token);
    if ((s.element.flags & RevisedReferenceElement::kExternal) != 0)
      text(v, "File Name", s.file_name);
    if (s.element.type == 3) {
      auto size = static_cast<std::uint32_t>(s.selection.size());
      v.u32("Selection Size", size);
      v.u32("Rank", s.rank);
      v.view("Selection", s.selection, size);
    }
    if (s.element.type == 4) text(v, "Attribute Name", s.attribute_name);
  }

 private:
  template <class V, class T>
  static void text(V& v, const char* field, T& value) {
    auto size = static_cast<std::uint16_t>(value.size());
    v.u16(field, size);
    v.text(field, value, size);
  }
};

}  // namespace onecast::format
