#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/namespaces.hpp"
#include "format/infra/symbol_table_entry.hpp"
#include "format/record.hpp"

namespace onecast::format {

inline constexpr std::string_view kFormatSignature = "\x89HDF\r\n\x1a\n";

/// The position of the version number in superblocks of all versions.
inline constexpr std::size_t kSuperblockVersionAt = 8;
/// The position of "File Consistency Flags" in superblocks of versions 2 and 3.
inline constexpr std::size_t kSuperblockFlagsAt = 11;
/// The version while Onecast overwrites pages: no reader knows it, so all readers refuse the file.
inline constexpr std::uint8_t kFlushUnderWay = 0xFF;

/// Bits of "File Consistency Flags", superblock version 3.
namespace consistency_flag {
inline constexpr std::uint32_t kOpenForWriting = 0x01;
inline constexpr std::uint32_t kOpenForSwmr = 0x04;
}  // namespace consistency_flag

/// True if the superblock that begins with these bytes says that a program writes the file for
/// readers (SWMR). Nothing else of it is looked at, as it may be about to change. False if there
/// are too few bytes.
[[nodiscard]] bool is_open_for_swmr(ByteView superblock);

/// "II.A. Disk Format: Level 0A - Format Signature and Superblock", versions 0 and 1.
struct SuperblockV0 {
  static constexpr const char* kTitle = "Superblock (Versions 0 and 1)";

  std::uint8_t version = 0;
  std::uint8_t size_of_offsets = 8;
  std::uint8_t size_of_lengths = 8;
  std::uint16_t group_leaf_node_k = 4;
  std::uint16_t group_internal_node_k = 16;
  std::uint32_t file_consistency_flags = 0;
  std::uint16_t indexed_storage_internal_node_k = 32;  ///< stored in version 1 only
  Address base_address{0};
  Address free_space_information;  ///< always undefined
  Address end_of_file;
  Address driver_information_block;
  SymbolTableEntry root_group;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Format Signature", kFormatSignature);
    v.u8("Version Number of the Superblock", s.version);
    v.require(s.version <= 1, "Version Number of the Superblock", "a version other than 0 and 1");
    v.last_version("Version Number of the File's Free Space Information", 0);
    v.last_version("Version Number of the Root Group Symbol Table Entry", 0);
    v.reserved("Reserved", 1);
    v.last_version("Version Number of the Shared Header Message Format", 0);
    v.u8("Size of Offsets", s.size_of_offsets);
    v.u8("Size of Lengths", s.size_of_lengths);
    v.check(s.size_of_offsets == v.file().size_of_offsets, "Size of Offsets", "is not the file's");
    v.check(s.size_of_lengths == v.file().size_of_lengths, "Size of Lengths", "is not the file's");
    v.reserved("Reserved", 1);
    v.u16("Group Leaf Node K", s.group_leaf_node_k);
    v.u16("Group Internal Node K", s.group_internal_node_k);
    v.check(s.group_leaf_node_k != 0 && s.group_internal_node_k != 0, "Group Node K", "is 0");
    v.u32("File Consistency Flags", s.file_consistency_flags);
    if (s.version == 1) {
      v.u16("Indexed Storage Internal Node K", s.indexed_storage_internal_node_k);
      v.check(s.indexed_storage_internal_node_k != 0, "Indexed Storage Internal Node K", "is 0");
      v.reserved("Reserved", 2);
    }
    v.address("Base Address", s.base_address);
    v.address("Address of File Free space Info", s.free_space_information);
    v.address("End of File Address", s.end_of_file);
    v.address("Driver Information Block Address", s.driver_information_block);
    v.record("Root Group Symbol Table Entry", s.root_group);
  }
};

/// Versions 2 and 3.
struct SuperblockV2 {
  static constexpr const char* kTitle = "Superblock (Versions 2 and 3)";

  std::uint8_t version = 2;
  std::uint8_t size_of_offsets = 8;
  std::uint8_t size_of_lengths = 8;
  std::uint8_t file_consistency_flags = 0;
  Address base_address{0};
  Address extension;
  Address end_of_file;
  Address root_group_header;

  static std::size_t size(const FileContext& file) {
    return 16 + 4 * std::size_t{file.size_of_offsets};
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Format Signature", kFormatSignature);
    v.u8("Version Number of the Superblock", s.version);
    v.require(s.version == 2 || s.version == 3, "Version Number of the Superblock",
              "a version other than 2 and 3");
    v.u8("Size of Offsets", s.size_of_offsets);
    v.u8("Size of Lengths", s.size_of_lengths);
    v.check(s.size_of_offsets == v.file().size_of_offsets, "Size of Offsets", "is not the file's");
    v.check(s.size_of_lengths == v.file().size_of_lengths, "Size of Lengths", "is not the file's");
    v.u8("File Consistency Flags", s.file_consistency_flags);
    v.address("Base Address", s.base_address);
    v.address("Superblock Extension Address", s.extension);
    v.address("End of File Address", s.end_of_file);
    v.address("Root Group Object Header Address", s.root_group_header);
    v.checksum("Superblock Checksum");
  }
};

/// The contents of a superblock of any version.
struct Superblock {
  /// The root group's B-tree and name heap, as cached in the root entry of versions 0 and 1.
  struct CachedRoot {
    Address btree;
    Address name_heap;
  };

  std::uint8_t version = 2;
  std::uint8_t size_of_offsets = 8;
  std::uint8_t size_of_lengths = 8;
  std::uint32_t file_consistency_flags = 0;
  Address base_address{0};
  Address end_of_file_address;
  Address extension_address;    ///< versions 2 and 3
  Address driver_info_address;  ///< versions 0 and 1
  Address root_header_address;
  std::optional<CachedRoot> cached_root;
  std::uint16_t group_leaf_node_k = 4;  ///< from version 2 on, a BTreeKValuesMessage overrides
                                        ///< these
  std::uint16_t group_internal_node_k = 16;
  std::uint16_t indexed_storage_internal_node_k = 32;
};

/// The size of the largest supported superblock.
inline constexpr std::size_t kMaxSuperblockSize = 100;

/// Decodes the superblock at the start of `bytes`, which lie at `where`, and sets the sizes in
/// `file`.
Superblock decode_superblock(ByteView bytes, Address where, FileContext& file);

}  // namespace onecast::format
