#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// One piece of metadata in a Metadata Cache Image Block, which replaces what lies at its address.
/// The specification has no table for it; the fields are those that the library writes.
struct CacheImageEntry {
  static constexpr const char* kTitle = "Metadata Cache Image Block, entry";

  std::uint8_t type = 0;   ///< the structure, by the library's own numbers
  std::uint8_t flags = 0;  ///< whether the file already has it, and what depends on it
  std::uint8_t ring = 0;
  std::uint8_t age = 0;
  std::uint16_t child_count = 0;
  std::uint16_t dirty_child_count = 0;
  std::uint32_t position = 0;  ///< in the list of recently used entries
  Address address;
  std::vector<Address> parents;  ///< entries that must be written after it
  ByteView image;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Type", s.type);
    v.u8("Flags", s.flags);
    v.u8("Ring", s.ring);
    v.u8("Age", s.age);
    v.u16("Flush Dependency Child Count", s.child_count);
    v.u16("Dirty Flush Dependency Child Count", s.dirty_child_count);
    auto parent_count = static_cast<std::uint16_t>(s.parents.size());
    v.u16("Flush Dependency Parent Count", parent_count);
    v.u32("Index in LRU", s.position);
    v.address("Entry Address", s.address);
    std::uint64_t size = s.image.size();
    v.length("Entry Length", size);
    v.check(size != 0, "Entry Length", "is 0");
    v.list("Flush Dependency Parent Addresses", s.parents, parent_count, 1,
           [](V& each, auto& parent) { each.address("Flush Dependency Parent Address", parent); });
    v.view("Entry Image", s.image, size);
  }
};

/// The block to which "IV.A.2.y. The Metadata Cache Image Message" refers.
struct CacheImageBlock {
  static constexpr const char* kTitle = "Metadata Cache Image Block";
  static constexpr std::string_view kSignature = "MDCI";

  std::uint64_t size = 0;  ///< the size of the whole block
  std::vector<CacheImageEntry> entries;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", kSignature);
    v.version("Version", 0);
    std::uint8_t flags = 0;
    v.u8("Flags", flags);
    v.require(flags == 0, "Flags", "a metadata cache image with the state of the cache");
    v.length("Image Data Length", s.size);
    auto count = static_cast<std::uint32_t>(s.entries.size());
    v.u32("Number of Entries", count);
    constexpr std::uint64_t kSmallest = 19;  // with addresses and lengths of two bytes
    v.list("Entries", s.entries, count, kSmallest,
           [](V& each, auto& entry) { each.record("Entry #n", entry); });
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
