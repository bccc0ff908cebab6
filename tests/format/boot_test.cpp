#include "bytes.hpp"
#include "format/boot/driver_info.hpp"
#include "format/boot/superblock.hpp"
#include "record_conformance.hpp"

namespace onecast::format {

template <>
struct Samples<SymbolTableEntry> {
  static std::vector<SymbolTableEntry> values(const FileContext&) {
    SymbolTableEntry plain, group, soft_link;
    plain.link_name_offset = 8;
    plain.object_header = Address{0x320};
    group.object_header = Address{0x60};
    group.cache_type = SymbolCacheType::group;
    group.btree = Address{0x88};
    group.name_heap = Address{0x2a8};
    soft_link.link_name_offset = 16;
    soft_link.cache_type = SymbolCacheType::soft_link;
    soft_link.link_value_offset = 24;
    return {plain, group, soft_link};
  }
};

template <>
struct Samples<SuperblockV0> {
  static std::vector<SuperblockV0> values(const FileContext& file) {
    SuperblockV0 v0;
    v0.size_of_offsets = file.size_of_offsets;
    v0.size_of_lengths = file.size_of_lengths;
    v0.end_of_file = Address{0x1000};
    v0.root_group = Samples<SymbolTableEntry>::values(file)[1];
    SuperblockV0 v1 = v0;
    v1.version = 1;
    v1.indexed_storage_internal_node_k = 64;
    return {v0, v1};
  }
};

template <>
struct Samples<SuperblockV2> {
  static std::vector<SuperblockV2> values(const FileContext& file) {
    SuperblockV2 v2;
    v2.size_of_offsets = file.size_of_offsets;
    v2.size_of_lengths = file.size_of_lengths;
    v2.end_of_file = Address{0x1000};
    v2.root_group_header = Address{0x30};
    SuperblockV2 v3 = v2;
    v3.version = 3;
    v3.file_consistency_flags = consistency_flag::kOpenForWriting;
    v3.extension = Address{0x200};
    return {v2, v3};
  }
};

template <>
struct Samples<DriverInformationBlock> {
  static std::vector<DriverInformationBlock> values(const FileContext&) {
    return {{"NCSAmult", literal_bytes("a driver's own")}, {}};
  }
};

using BootRecords =
    testing::Types<SymbolTableEntry, SuperblockV0, SuperblockV2, DriverInformationBlock>;
INSTANTIATE_TYPED_TEST_SUITE_P(BootRecords, RecordConformance, BootRecords);

namespace {

Superblock decode_hex(std::string_view digits, FileContext& file) {
  static std::vector<std::byte> bytes;
  bytes = from_hex(digits);
  return decode_superblock(bytes, Address{0}, file);
}

// These are superblocks that HDF5 2.0.0 wrote.
TEST(Superblock, Version0OfARealFile) {
  FileContext file{"v0.h5", 0, 0};
  const Superblock s = decode_hex(
      "894844460d0a1a0a 0000000000080800 0400100000000000 0000000000000000 ffffffffffffffff"
      "ac12000000000000 ffffffffffffffff 0000000000000000 6000000000000000 0100000000000000"
      "8800000000000000 a802000000000000",
      file);
  EXPECT_EQ(s.version, 0);
  EXPECT_EQ(file.size_of_offsets, 8);
  EXPECT_EQ(file.size_of_lengths, 8);
  EXPECT_EQ(s.base_address, Address{0});
  EXPECT_EQ(s.end_of_file_address, Address{0x12ac});
  EXPECT_EQ(s.root_header_address, Address{0x60});
  EXPECT_FALSE(s.driver_info_address.is_defined());
  EXPECT_FALSE(s.extension_address.is_defined());
  EXPECT_EQ(s.group_leaf_node_k, 4);
  EXPECT_EQ(s.group_internal_node_k, 16);
  ASSERT_TRUE(s.cached_root.has_value());
  EXPECT_EQ(s.cached_root->btree, Address{0x88});
  EXPECT_EQ(s.cached_root->name_heap, Address{0x2a8});
}

TEST(Superblock, SaysThatItIsOpenForSwmr) {
  const FileContext file{"a.h5", 8, 8};
  const auto says = [&](std::uint8_t version, std::uint32_t flags) {
    SuperblockV2 superblock = Samples<SuperblockV2>::values(file)[1];
    superblock.version = version;
    superblock.file_consistency_flags = static_cast<std::uint8_t>(flags);
    return is_open_for_swmr(encoded(file, superblock));
  };
  using namespace consistency_flag;
  EXPECT_TRUE(says(3, kOpenForWriting | kOpenForSwmr));
  EXPECT_FALSE(says(3, kOpenForWriting));
  EXPECT_FALSE(says(2, kOpenForWriting | kOpenForSwmr));
  EXPECT_FALSE(is_open_for_swmr({}));
  const auto bytes = encoded(file, Samples<SuperblockV2>::values(file)[1]);
  EXPECT_FALSE(is_open_for_swmr(ByteView(bytes).first(kSuperblockFlagsAt)));
}

TEST(Superblock, Version2OfARealFile) {
  FileContext file{"v2.h5", 0, 0};
  const Superblock s = decode_hex(
      "894844460d0a1a0a 02080800 0000000000000000 ffffffffffffffff 2038000000000000 "
      "3000000000000000"
      "a9a8fb86",
      file);
  EXPECT_EQ(s.version, 2);
  EXPECT_EQ(s.end_of_file_address, Address{0x3820});
  EXPECT_EQ(s.root_header_address, Address{0x30});
  EXPECT_FALSE(s.extension_address.is_defined());
  EXPECT_FALSE(s.cached_root.has_value());
}

TEST(Superblock, Version3OfARealPagedFile) {
  FileContext file{"v3.h5", 0, 0};
  const Superblock s = decode_hex(
      "894844460d0a1a0a 03080800 0000000000000000 3000000000000000 0040000000000000 "
      "6c00000000000000"
      "17daaa43",
      file);
  EXPECT_EQ(s.version, 3);
  EXPECT_EQ(s.file_consistency_flags, 0U);
  EXPECT_EQ(s.end_of_file_address, Address{0x4000});
  EXPECT_EQ(s.extension_address, Address{0x30});
  EXPECT_EQ(s.root_header_address, Address{0x6c});
}

TEST(Superblock, RefusesWhatItDoesNotKnowByName) {
  FileContext file{"new.h5", 8, 8};
  const auto message = [&](std::string_view digits) -> std::string {
    try {
      decode_hex(digits, file);
      return "decoded";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_NE(message("894844460d0a1a0a 04 08 08 00").find("version 4"), std::string::npos);
  EXPECT_NE(
      message("894844460d0a1a0a 02 10 08 00").find("Size of Offsets: not supported: 16 bytes"),
      std::string::npos);
  EXPECT_NE(message("894844460d0a1a0a 00 00000000 08 03").find("Size of Lengths: is 3"),
            std::string::npos);
  EXPECT_NE(message("894844460d0a1a0b 00").find("Format Signature"), std::string::npos);
  EXPECT_NE(message("8948").find("Format Signature"), std::string::npos);
}

}  // namespace
}  // namespace onecast::format
