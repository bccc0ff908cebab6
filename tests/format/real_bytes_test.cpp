// Messages that HDF5 2.0.0 wrote, in its earliest and its latest format
#include "bytes.hpp"
#include "format/objects/attribute_message.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/datatype_message.hpp"
#include "format/objects/extension_messages.hpp"
#include "format/objects/external_data_files_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "format/objects/filter_pipeline_message.hpp"
#include "format/objects/group_messages.hpp"
#include "format/objects/link_message.hpp"
#include "format/objects/shared_message.hpp"

namespace onecast::format {
namespace {

const FileContext kFile{"real.h5", 8, 8};

/// Decodes the bytes and checks that encoding gives the same bytes. `filled` is the number of bytes
/// at the end with which the message is filled to a multiple of 8.
template <class R>
R decode_hex(std::string_view digits, std::size_t filled = 0) {
  static std::vector<std::byte> bytes;  // the views in the result point into it
  bytes = from_hex(digits);
  const R value = decode<R>(bytes, Address{0x800}, kFile);
  std::vector<std::byte> again = encoded(kFile, value);
  again.resize(again.size() + filled);
  EXPECT_EQ(again, bytes);
  return value;
}

std::uint32_t u32_at(ByteView bytes, std::size_t offset) {
  ByteReader in(bytes.subspan(offset), Address{0}, kFile);
  return static_cast<std::uint32_t>(in.uint(4, "value"));
}

TEST(RealBytes, Dataspace) {
  const auto old = decode_hex<DataspaceMessage>(
      "01020100000000000a000000000000001400000000000000ffffffffffffffff1400000000000000");
  EXPECT_EQ(old.rank, 2);
  EXPECT_EQ(old.type, DataspaceType::simple);
  EXPECT_EQ(old.sizes[0], 10U);
  EXPECT_EQ(old.sizes[1], 20U);
  EXPECT_EQ(old.maximum_sizes[0], DataspaceMessage::kUnlimited);
  EXPECT_EQ(old.maximum_sizes[1], 20U);
  EXPECT_EQ(decode_hex<DataspaceMessage>("02000002").type, DataspaceType::null);
  EXPECT_EQ(decode_hex<DataspaceMessage>("0201010102000000000000000200000000000000").sizes[0], 2U);
}

TEST(RealBytes, PlainDatatypes) {
  const auto big_int16 = decode_hex<DatatypeMessage>("100900000200000000001000");
  EXPECT_EQ(big_int16.type_class, DatatypeClass::fixed_point);
  EXPECT_EQ(big_int16.class_bits, datatype_bits::kBigEndian | datatype_bits::kSigned);
  EXPECT_EQ(big_int16.size, 2U);
  EXPECT_EQ(big_int16.bit_precision, 16);
  const auto float64 = decode_hex<DatatypeMessage>("11203f000800000000004000340b0034ff030000");
  EXPECT_EQ(float64.type_class, DatatypeClass::floating_point);
  EXPECT_EQ(datatype_bits::float_sign_location(float64.class_bits), 63U);
  EXPECT_EQ(float64.exponent_location, 52);
  EXPECT_EQ(float64.exponent_size, 11);
  EXPECT_EQ(float64.mantissa_size, 52);
  EXPECT_EQ(float64.exponent_bias, 1023U);
  EXPECT_EQ(decode_hex<DatatypeMessage>("12000000040000002000").type_class, DatatypeClass::time);
  EXPECT_EQ(decode_hex<DatatypeMessage>("1700000008000000").type_class, DatatypeClass::reference);
  const auto opaque =
      decode_hex<DatatypeMessage>("1510000005000000746167206f662074656e000000000000");
  EXPECT_EQ(opaque.tag, "tag of ten");
}

TEST(RealBytes, NestedDatatypes) {
  const auto old = decode_hex<DatatypeMessage>(
      "26030000190000006100000000000000000000001008000004000000000020006200000000000000040000002a00"
      "0000"
      "1000000001000000020000000000000011203f000800000000004000340b0034ff03000073000000000000001400"
      "0000"
      "1301000005000000");
  const auto check = [](const DatatypeMessage& compound) {
    ASSERT_EQ(compound.members.size(), 3U);
    EXPECT_EQ(compound.size, 25U);
    EXPECT_EQ(compound.members[0].name, "a");
    EXPECT_EQ(compound.members[1].name, "b");
    EXPECT_EQ(compound.members[1].byte_offset, 4U);
    EXPECT_EQ(compound.members[1].type.type_class, DatatypeClass::array);
    EXPECT_EQ(compound.members[1].type.array_dimensions, std::vector<std::uint32_t>{2});
    EXPECT_EQ(compound.members[1].type.base.at(0).type_class, DatatypeClass::floating_point);
    EXPECT_EQ(compound.members[2].type.type_class, DatatypeClass::string);
    EXPECT_EQ(compound.members[2].byte_offset, 20U);
  };
  check(old);
  check(
      decode_hex<DatatypeMessage>("56030000190000006100001008000004000000000020006200045a0000001000"
                                  "0000010200000011203f000800000000"
                                  "004000340b0034ff0300007300141301000005000000"));
  for (const char* digits :
       {"1802000001000000100000000100000000000800475245454e000000524544000000000001000000",
        "5802000001000000100000000100000000000800475245454e00524544000100"}) {
    const auto colour = decode_hex<DatatypeMessage>(digits, digits[0] == '1' ? 2 : 0);
    EXPECT_EQ(colour.names, (std::vector<std::string_view>{"GREEN", "RED"}));
    EXPECT_EQ(colour.values[0], std::byte{1});
    EXPECT_EQ(colour.values[1], std::byte{0});
  }
  const auto string = decode_hex<DatatypeMessage>("1901010010000000100000000100000000000800");
  EXPECT_EQ(string.type_class, DatatypeClass::variable_length);
  EXPECT_EQ(string.class_bits & datatype_bits::kVariableLengthString, 1U);
  EXPECT_EQ(datatype_bits::variable_length_character_set(string.class_bits), 1U);
  EXPECT_EQ(string.base.at(0).size, 1U);
  const auto complex =
      decode_hex<DatatypeMessage>("5b0100001000000011203f000800000000004000340b0034ff030000");
  EXPECT_EQ(complex.type_class, DatatypeClass::complex);
  EXPECT_EQ(complex.base.at(0).size, 8U);
}

TEST(RealBytes, Attribute) {
  const auto old = decode_hex<AttributeMessage>(
      "010002000c0018006e00000000000000100800000400000000002000000000000101010000000000030000000000"
      "0000"
      "0300000000000000010000000200000003000000",
      0);
  EXPECT_EQ(old.name, "n");
  EXPECT_EQ(decode<DatatypeMessage>(old.datatype, Address{0}, kFile).size, 4U);
  EXPECT_EQ(decode<DataspaceMessage>(old.dataspace, Address{0}, kFile).sizes[0], 3U);
  EXPECT_EQ(u32_at(old.data, 4), 2U);
  const auto latest = decode_hex<AttributeMessage>(
      "030002000c001400006e001008000004000000000020000201010103000000000000000300000000000000010000"
      "0002"
      "00000003000000");
  EXPECT_EQ(latest.name, "n");
  EXPECT_EQ(decode<DataspaceMessage>(latest.dataspace, Address{0}, kFile).sizes[0], 3U);
  EXPECT_EQ(u32_at(latest.data, 8), 3U);
}

TEST(RealBytes, FillValue) {
  const auto v2 = decode_hex<FillValueMessage>("02030201040000000700000000000000", 4);
  EXPECT_EQ(v2.allocation_time, SpaceAllocationTime::incremental);
  EXPECT_EQ(v2.write_time, FillValueWriteTime::if_set);
  EXPECT_EQ(u32_at(v2.value, 0), 7U);
  const auto v3 = decode_hex<FillValueMessage>("032b0400000007000000");
  EXPECT_EQ(v3.allocation_time, SpaceAllocationTime::incremental);
  EXPECT_EQ(u32_at(v3.value, 0), 7U);
  EXPECT_FALSE(decode_hex<FillValueMessage>("030a").defined);
  EXPECT_EQ(u32_at(decode_hex<OldFillValueMessage>("0400000007000000").value, 0), 7U);
}

TEST(RealBytes, Layout) {
  const auto btree =
      decode_hex<DataLayoutMessage>("030203ffffffffffffffff05000000140000000400000000", 1);
  EXPECT_EQ(btree.layout_class, LayoutClass::chunked);
  EXPECT_EQ(btree.dimensionality, 3);
  EXPECT_EQ(btree.dimensions[1], 20U);
  EXPECT_EQ(btree.dimensions[2], 4U);
  const auto contiguous = decode_hex<DataLayoutMessage>("0301bb150000000000000800000000000000");
  EXPECT_EQ(contiguous.address, Address{0x15bb});
  EXPECT_EQ(contiguous.size, 8U);
  EXPECT_EQ(
      decode_hex<DataLayoutMessage>("0300100000000000000000000000000000000000").compact_data.size(),
      16U);
  const auto fixed = decode_hex<DataLayoutMessage>("0502000301051404030affffffffffffffff");
  EXPECT_EQ(fixed.version, 5);
  EXPECT_EQ(fixed.index_type, ChunkIndexType::fixed_array);
  EXPECT_EQ(fixed.index.page_bits, 10);
  const auto single =
      decode_hex<DataLayoutMessage>("05020203010a1408011b00000000000000000000000008000000000000");
  EXPECT_EQ(single.index_type, ChunkIndexType::single_chunk);
  EXPECT_EQ(single.index.filtered_size, 27U);
  EXPECT_EQ(single.address, Address{0x800});
  const auto extensible =
      decode_hex<DataLayoutMessage>("040200030105140804200404100affffffffffffffff");
  EXPECT_EQ(extensible.index.max_bits, 32);
  EXPECT_EQ(extensible.index.min_elements, 16);
  const auto btree_v2 =
      decode_hex<DataLayoutMessage>("040200030105140805000800006428ffffffffffffffff");
  EXPECT_EQ(btree_v2.index.node_size, 2048U);
  EXPECT_EQ(btree_v2.index.split_percent, 100);
  const auto virtual_dataset = decode_hex<DataLayoutMessage>("0403230800000000000002000000");
  EXPECT_EQ(virtual_dataset.layout_class, LayoutClass::virtual_dataset);
  EXPECT_EQ(virtual_dataset.heap_index, 2U);
}

TEST(RealBytes, FilterPipeline) {
  const auto check = [](const FilterPipelineMessage& pipeline) {
    ASSERT_EQ(pipeline.filters.size(), 2U);
    EXPECT_EQ(pipeline.filters[0].id, 2);
    EXPECT_EQ(pipeline.filters[1].id, 1);
    EXPECT_EQ(pipeline.filters[1].client_data, std::vector<std::uint32_t>{6});
  };
  const auto v1 = decode_hex<FilterPipelineMessage>(
      "0102000000000000020008000100010073687566666c6500040000000000000001000800010001006465666c6174"
      "6500"
      "0600000000000000");
  check(v1);
  EXPECT_EQ(v1.filters[1].name, "deflate");
  check(decode_hex<FilterPipelineMessage>("02020200010001000400000001000100010006000000"));
}

TEST(RealBytes, Links) {
  const auto hard = decode_hex<LinkMessage>("010400000000000000000161ef00000000000000");
  EXPECT_EQ(hard.name, "a");
  EXPECT_EQ(hard.object_header, Address{0xef});
  EXPECT_EQ(hard.creation_order, 0U);
  const auto soft = decode_hex<LinkMessage>("010c010100000000000000016204002f672f78");
  EXPECT_EQ(soft.name, "b");
  EXPECT_EQ(soft.soft_value, "/g/x");
  const auto external =
      decode_hex<LinkMessage>("011c4002000000000000000102c3a40900006f2e6835002f7000");
  EXPECT_EQ(external.type, LinkType::external);
  EXPECT_EQ(external.creation_order, 2U);
  const auto target = decode<ExternalLinkValue>(external.user_data, Address{0}, kFile);
  EXPECT_EQ(target.file_name, "o.h5");
  EXPECT_EQ(target.object_path, "/p");
}

TEST(RealBytes, OtherMessages) {
  EXPECT_EQ(decode_hex<SharedMessage>("0202ae06000000000000").object_header, Address{0x6ae});
  const auto info = decode_hex<LinkInfoMessage>(
      "000309000000000000000010000000000000cf070000000000009210000000000000");
  EXPECT_EQ(info.maximum_creation_index, 9U);
  EXPECT_EQ(info.fractal_heap, Address{0x1000});
  EXPECT_EQ(info.creation_order_btree, Address{0x1092});
  EXPECT_EQ(decode_hex<SymbolTableMessage>("48030000000000006805000000000000").local_heap,
            Address{0x568});
  const auto external = decode_hex<ExternalDataFilesMessage>(
      "01000000010001000839000000000000080000000000000000000000000000001000000000000000");
  EXPECT_EQ(external.heap, Address{0x3908});
  EXPECT_EQ(external.slots.at(0).data_size, 16U);
  const auto space = decode_hex<FileSpaceInfoMessage>(
      "010100010000000000000000100000000000000000ffffffffffffffff");
  EXPECT_EQ(space.strategy, FileSpaceStrategy::page);
  EXPECT_EQ(space.page_size, 4096U);
  EXPECT_FALSE(space.persist);
}

}  // namespace
}  // namespace onecast::format
