#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

/// "III.H. Disk Format: Level 1H - Free-space Manager".
namespace onecast::format {

enum class FreeSpaceClient : std::uint8_t { fractal_heap = 0, file = 1 };

struct FreeSpaceHeader {
  static constexpr const char* kTitle = "Free-space Manager Header";

  FreeSpaceClient client = FreeSpaceClient::file;
  std::uint64_t total_space = 0;
  std::uint64_t section_count = 0;
  std::uint64_t serialized_section_count = 0;
  std::uint64_t ghost_section_count = 0;
  std::uint16_t section_class_count = 0;
  std::uint16_t shrink_percent = 80;
  std::uint16_t expand_percent = 120;
  std::uint16_t address_space_bits = 0;
  std::uint64_t maximum_section_size = 0;
  Address section_list;
  std::uint64_t section_list_used = 0;  ///< bytes, including prefix and checksum
  std::uint64_t section_list_allocated = 0;

  static std::uint64_t size(const FileContext& file) {
    return 18 + std::uint64_t{file.size_of_offsets} + 7U * file.size_of_lengths;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "FSHD");
    v.version("Version", 0);
    v.u8("Client ID", s.client);
    v.check(s.client <= FreeSpaceClient::file, "Client ID", "is neither 0 nor 1");
    v.length("Total Space Tracked", s.total_space);
    v.length("Total Number of Sections", s.section_count);
    v.length("Number of Serialized Sections", s.serialized_section_count);
    v.length("Number of Un-Serialized Sections", s.ghost_section_count);
    v.u16("Number of Section Classes", s.section_class_count);
    v.u16("Shrink Percent", s.shrink_percent);
    v.u16("Expand Percent", s.expand_percent);
    v.u16("Size of Address Space", s.address_space_bits);
    v.length("Maximum Section Size", s.maximum_section_size);
    v.address("Address of Serialized Section List", s.section_list);
    v.length("Size of Serialized Section List Used", s.section_list_used);
    v.length("Allocated Size of Serialized Section List", s.section_list_allocated);
    v.checksum("Checksum");
  }
};

/// The sections stay encoded.
struct FreeSpaceSectionList {
  static constexpr const char* kTitle = "Free-space Section List";

  std::uint64_t sections_size = 0;  ///< context: in bytes
  Address header;
  ByteView sections;

  static std::uint64_t overhead(const FileContext& file) { return 9U + file.size_of_offsets; }
  [[nodiscard]] FreeSpaceSectionList context() const {
    FreeSpaceSectionList list;
    list.sections_size = sections_size;
    return list;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "FSSE");
    v.version("Version", 0);
    v.address("Free-space Manager Header Address", s.header);
    v.view("Section Records", s.sections, s.sections_size);
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
