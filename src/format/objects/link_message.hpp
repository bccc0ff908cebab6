#pragma once

#include <cstdint>
#include <string_view>

#include "base/namespaces.hpp"
#include "format/record.hpp"
#include "onecast/base/character_set.hpp"

namespace onecast::format {

enum class LinkType : std::uint8_t {
  hard = 0,
  soft = 1,
  external = 64
};  // 65 to 255: user-defined

/// "IV.A.2.g. The Link Message".
struct LinkMessage {
  static constexpr const char* kTitle = "Link Message";
  static constexpr std::uint8_t kNameLengthMask = 0x03;
  static constexpr std::uint8_t kHasCreationOrder = 0x04;
  static constexpr std::uint8_t kHasLinkType = 0x08;
  static constexpr std::uint8_t kHasCharacterSet = 0x10;

  std::uint8_t flags = 0;
  LinkType type = LinkType::hard;
  CharacterSet character_set = CharacterSet::ascii;
  std::uint64_t creation_order = 0;
  std::string_view name;
  Address object_header;        ///< for a hard link
  std::string_view soft_value;  ///< the path in a soft link
  ByteView user_data;  ///< for an external link (see ExternalLinkValue) or a user-defined one

  [[nodiscard]] bool has_creation_order() const { return (flags & kHasCreationOrder) != 0; }

  /// The flags of the smallest message that can hold these values.
  static constexpr std::uint8_t flags_for(std::size_t name_length, LinkType type, CharacterSet set,
                                          bool with_creation_order) {
    unsigned bits = name_length < 0x100 ? 0U : name_length < 0x10000 ? 1U : 2U;
    if (with_creation_order) bits |= kHasCreationOrder;
    if (type != LinkType::hard) bits |= kHasLinkType;
    if (set != CharacterSet::ascii) bits |= kHasCharacterSet;
    return static_cast<std::uint8_t>(bits);
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 1);
    v.u8("Flags", s.flags);
    v.check((s.flags & 0xe0U) == 0, "Flags", "has reserved bits set");
    if ((s.flags & kHasLinkType) != 0) v.u8("Link type", s.type);
    if (s.has_creation_order()) v.u64("Creation Order", s.creation_order);
    if ((s.flags & kHasCharacterSet) != 0) v.u8("Link Name Character Set", s.character_set);
    v.check(s.character_set <= CharacterSet::utf8, "Link Name Character Set", "is neither 0 nor 1");
    std::uint64_t name_length = s.name.size();
    v.uint("Length of Link Name", name_length, std::size_t{1} << (s.flags & kNameLengthMask));
    v.check(name_length != 0, "Length of Link Name", "is 0");
    v.text("Link Name", s.name, name_length);
    information(v, s);
  }

 private:
  template <class V, class Self>
  static void information(V& v, Self& s) {
    switch (s.type) {
      case LinkType::hard:
        v.address("Address of Object Header", s.object_header);
        break;
      case LinkType::soft: {
        auto length = static_cast<std::uint16_t>(s.soft_value.size());
        v.u16("Length of Soft Link Value", length);
        v.check(length != 0, "Length of Soft Link Value", "is 0");
        v.text("Soft Link Value", s.soft_value, length);
        break;
      }
      default: {
        v.check(s.type >= LinkType::external, "Link type", "is reserved (2 to 63)");
        auto length = static_cast<std::uint16_t>(s.user_data.size());
        v.u16("Length of User-defined Data", length);
        v.view("User-defined Data", s.user_data, length);
      }
    }
  }
};

/// "External Link Information": the user data of a link of type 64.
struct ExternalLinkValue {
  static constexpr const char* kTitle = "External Link Information";

  std::string_view file_name;
  std::string_view object_path;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    std::uint8_t version_and_flags = 0;
    v.u8("Version and Flags", version_and_flags);
    v.require(version_and_flags == 0, "Version and Flags", "a version or flags other than 0");
    v.c_text("File Name", s.file_name);
    v.c_text("Object Path", s.object_path);
  }
};

}  // namespace onecast::format
