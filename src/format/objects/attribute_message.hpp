#pragma once

#include <cstdint>
#include <string_view>

#include "base/namespaces.hpp"
#include "format/objects/link_message.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "IV.A.2.m. The Attribute Message", versions 1 to 3. Datatype and dataspace are messages inside
/// it, which stay encoded; if flagged as shared, they are SharedMessages.
struct AttributeMessage {
  static constexpr const char* kTitle = "Attribute Message";
  static constexpr bool kOpenEnded = true;
  static constexpr std::uint8_t kDatatypeShared = 0x01;
  static constexpr std::uint8_t kDataspaceShared = 0x02;

  std::uint8_t version = 3;
  std::uint8_t flags = 0;
  CharacterSet character_set = CharacterSet::ascii;
  std::string_view name;
  ByteView datatype;
  ByteView dataspace;
  ByteView data;  ///< all remaining bytes, which may be more than the value needs

  [[nodiscard]] bool datatype_is_shared() const { return (flags & kDatatypeShared) != 0; }
  [[nodiscard]] bool dataspace_is_shared() const { return (flags & kDataspaceShared) != 0; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Version", s.version);
    v.versions("Version", s.version, 1, 3);
    if (s.version == 1) {
      v.reserved("Reserved", 1);
    } else {
      v.u8("Flags", s.flags);
      v.check((s.flags & 0xfcU) == 0, "Flags", "has reserved bits set");
    }
    auto name_size = static_cast<std::uint16_t>(s.name.size() + 1);
    auto datatype_size = static_cast<std::uint16_t>(s.datatype.size());
    auto dataspace_size = static_cast<std::uint16_t>(s.dataspace.size());
    v.u16("Name Size", name_size);
    v.u16("Datatype Size", datatype_size);
    v.u16("Dataspace Size", dataspace_size);
    if (s.version == 3) v.u8("Name Character Set Encoding", s.character_set);
    v.check(s.character_set <= CharacterSet::utf8, "Name Character Set Encoding",
            "is neither 0 nor 1");

    // Version 1 pads each of the next three fields to a multiple of 8 bytes.
    const auto fill_up = [&](const char* field, std::size_t size) {
      if (s.version == 1) v.reserved(field, padding(size, 8));
    };
    v.c_text("Name", s.name);
    v.check(s.name.size() + 1 == name_size, "Name", "does not end where Name Size says");
    fill_up("Name", name_size);
    v.view("Datatype", s.datatype, datatype_size);
    fill_up("Datatype", datatype_size);
    v.view("Dataspace", s.dataspace, dataspace_size);
    fill_up("Dataspace", dataspace_size);
    v.view("Data", s.data, v.remaining());
  }
};

}  // namespace onecast::format
