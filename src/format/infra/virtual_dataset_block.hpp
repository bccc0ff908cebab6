#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "format/objects/dataspace_selection.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// One entry of a Global Heap Block for Virtual Datasets. In version 1, names that an earlier entry
/// has are not stored again.
struct VirtualMappingEntry {
  static constexpr const char* kTitle = "Global Heap Block for Virtual Datasets, entry";
  static constexpr std::uint8_t kSharedFileName = 0x01;
  static constexpr std::uint8_t kSharedDatasetName = 0x02;
  static constexpr std::uint8_t kSameFile = 0x04;

  std::uint8_t block_version = 0;  ///< context
  std::uint8_t flags = 0;          ///< version 1
  std::string_view file_name;      ///< if it is stored here; "." is the file of the dataset
  std::string_view dataset_name;   ///< if it is stored here
  std::uint64_t file_name_of = 0;  ///< otherwise the number of the entry that has it
  std::uint64_t dataset_name_of = 0;
  DataspaceSelection source;
  DataspaceSelection mapped;  ///< in the virtual dataset

  [[nodiscard]] bool is_in_same_file() const { return (flags & kSameFile) != 0; }
  [[nodiscard]] bool shares_file_name() const { return (flags & kSharedFileName) != 0; }
  [[nodiscard]] bool shares_dataset_name() const { return (flags & kSharedDatasetName) != 0; }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    if (s.block_version == 1) {
      v.u8("Flags", s.flags);
      v.check((s.flags & 0xf8U) == 0, "Flags", "has reserved bits set");
    }
    if (s.shares_file_name())
      v.length("Source Filename #n: entry", s.file_name_of);
    else if (!s.is_in_same_file())
      v.c_text("Source Filename #n", s.file_name);
    if (s.shares_dataset_name())
      v.length("Source Dataset #n: entry", s.dataset_name_of);
    else
      v.c_text("Source Dataset #n", s.dataset_name);
    v.record("Source Selection #n", s.source);
    v.record("Virtual Selection #n", s.mapped);
  }
};

/// "III.F. Disk Format: Level 1F - Global Heap Block for Virtual Datasets", and version 1, which
/// HDF5 2.0 introduced.
struct VirtualDatasetBlock {
  static constexpr const char* kTitle = "Global Heap Block for Virtual Datasets";

  std::uint8_t version = 0;
  std::vector<VirtualMappingEntry> entries;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Version", s.version);
    v.versions("Version", s.version, 0, 1);
    std::uint64_t count = s.entries.size();
    v.length("Num Entries", count);
    constexpr std::uint64_t kSmallest = 34;  // two empty names, two selections of everything
    v.list("Entries", s.entries, count, kSmallest, [&](V& each, auto& entry) {
      if constexpr (V::kDecodes) entry.block_version = s.version;
      each.record("Entry #n", entry);
    });
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
