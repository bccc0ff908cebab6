#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/namespaces.hpp"
#include "format/record.hpp"

/// Messages of the superblock extension.
namespace onecast::format {

/// "IV.A.2.p. The Shared Message Table Message".
struct SharedMessageTableMessage {
  static constexpr const char* kTitle = "Shared Message Table Message";

  Address table;
  std::uint8_t index_count = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 0);
    v.address("Shared Object Header Message Table Address", s.table);
    v.u8("Number of Indices", s.index_count);
  }
};

/// "IV.A.2.t. The B-tree 'K' Values Message".
struct BTreeKValuesMessage {
  static constexpr const char* kTitle = "B-tree 'K' Values Message";

  std::uint16_t indexed_storage_internal_node_k = 32;
  std::uint16_t group_internal_node_k = 16;
  std::uint16_t group_leaf_node_k = 4;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 0);
    v.u16("Indexed Storage Internal Node K", s.indexed_storage_internal_node_k);
    v.u16("Group Internal Node K", s.group_internal_node_k);
    v.u16("Group Leaf Node K", s.group_leaf_node_k);
    v.check(s.indexed_storage_internal_node_k != 0 && s.group_internal_node_k != 0 &&
                s.group_leaf_node_k != 0,
            "Node K", "is 0");
  }
};

/// "IV.A.2.u. The Driver Info Message".
struct DriverInfoMessage {
  static constexpr const char* kTitle = "Driver Info Message";
  static constexpr std::size_t kIdentificationSize = 8;

  std::string_view identification = "unknown ";  ///< always 8 characters
  ByteView information;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 0);
    v.text("Driver Identification", s.identification, kIdentificationSize);
    auto size = static_cast<std::uint16_t>(s.information.size());
    v.u16("Driver Information Size", size);
    v.view("Driver Information", s.information, size);
  }
};

/// "Strategy" of version 1. Version 0 uses other numbers, kept in old_strategy.
enum class FileSpaceStrategy : std::uint8_t {
  fsm_aggregators = 0,
  page = 1,
  aggregators = 2,
  none = 3
};

/// "IV.A.2.x. The File Space Info Message", versions 0 and 1.
struct FileSpaceInfoMessage {
  static constexpr const char* kTitle = "File Space Info Message";
  static constexpr std::size_t kOldManagers = 6;
  static constexpr std::uint8_t kOldAllPersist = 1;
  static constexpr std::uint64_t kMinPageSize = 512;
  static constexpr std::uint64_t kMaxPageSize = std::uint64_t{1} << 30U;

  std::uint8_t version = 1;
  FileSpaceStrategy strategy = FileSpaceStrategy::page;
  std::uint8_t old_strategy = 0;  ///< version 0: 1 all persist, 2 all, 3 aggregators, 4 driver only
  bool persist = false;
  std::uint64_t threshold = 1;
  std::uint64_t page_size = 4096;
  std::uint16_t page_end_metadata_threshold = 0;
  Address end_of_allocated_space;  ///< before the free-space managers were allocated
  std::array<Address, 12>
      managers{};  ///< version 0: the first 6; version 1: 6 small-size, 6 large-size

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Version", s.version);
    v.versions("Version", s.version, 0, 1);
    if (s.version == 0) return old_fields(v, s);
    v.u8("Strategy", s.strategy);
    v.check(s.strategy <= FileSpaceStrategy::none, "Strategy", "is above 3");
    auto is_persistent = static_cast<std::uint8_t>(s.persist);
    v.u8("Persisting free-space", is_persistent);
    if constexpr (V::kDecodes) s.persist = is_persistent != 0;
    v.length("Free-space Section Threshold", s.threshold);
    v.length("File Space Page Size", s.page_size);
    v.check(s.page_size >= kMinPageSize && s.page_size <= kMaxPageSize, "File Space Page Size",
            "is not within 512 bytes to 1 GiB");
    v.u16("Page-end Metadata Threshold", s.page_end_metadata_threshold);
    v.address("EOA", s.end_of_allocated_space);
    if (s.persist)
      for (auto& manager : s.managers) v.address("Free-space Manager Address", manager);
  }

 private:
  template <class V, class Self>
  static void old_fields(V& v, Self& s) {
    v.u8("Strategy", s.old_strategy);
    v.check(s.old_strategy >= 1 && s.old_strategy <= 4, "Strategy", "is not within 1 to 4");
    v.length("Free-space Threshold", s.threshold);
    if (s.old_strategy != kOldAllPersist) return;
    for (std::size_t i = 0; i < kOldManagers; ++i)
      v.address("Free-space Manager Address", s.managers[i]);
  }
};

/// "IV.A.2.y. The Metadata Cache Image Message".
struct CacheImageMessage {
  static constexpr const char* kTitle = "Metadata Cache Image Message";

  Address image_block;
  std::uint64_t block_size = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 0);
    v.address("Metadata Cache Image Block Address", s.image_block);
    v.length("Metadata Cache Image Block Size", s.block_size);
  }
};

}  // namespace onecast::format
