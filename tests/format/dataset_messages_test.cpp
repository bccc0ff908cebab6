#include "bytes.hpp"
#include "format/objects/attribute_message.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/dataspace_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "record_conformance.hpp"

namespace onecast::format {

template <>
struct Samples<DataspaceMessage> {
  static std::vector<DataspaceMessage> values(const FileContext&) {
    DataspaceMessage scalar{}, null{}, old{}, simple{};
    null.type = DataspaceType::null;
    old.version = 1;
    old.type = DataspaceType::simple;
    old.rank = 2;
    old.sizes[0] = 3, old.sizes[1] = 4;
    simple.type = DataspaceType::simple;
    simple.rank = 2;
    simple.flags = DataspaceMessage::kHasMaximum;
    simple.sizes[0] = 3, simple.sizes[1] = 0;
    simple.maximum_sizes[0] = DataspaceMessage::kUnlimited, simple.maximum_sizes[1] = 5;
    DataspaceMessage old_maximum = simple;
    old_maximum.version = 1;
    return {scalar, null, old, simple, old_maximum};
  }
};

template <>
struct Samples<OldFillValueMessage> {
  static std::vector<OldFillValueMessage> values(const FileContext&) {
    return {{}, {literal_bytes("\1\2\3\4")}};
  }
};

template <>
struct Samples<FillValueMessage> {
  static std::vector<FillValueMessage> values(const FileContext&) {
    FillValueMessage undefined, v3;
    undefined.undefined = true;
    v3.allocation_time = SpaceAllocationTime::early;
    v3.write_time = FillValueWriteTime::never;
    v3.defined = true;
    v3.value = literal_bytes("\1\2\3\4");
    FillValueMessage v2 = v3, v1 = v3, v2_undefined, v1_undefined;
    v2.version = 2;
    v1.version = 1;
    v2_undefined.version = 2;
    v1_undefined.version = 1;
    return {FillValueMessage{}, undefined, v3, v2, v1, v2_undefined, v1_undefined};
  }
};

template <>
struct Samples<AttributeMessage> {
  static std::vector<AttributeMessage> values(const FileContext&) {
    AttributeMessage v3;
    v3.character_set = CharacterSet::utf8;
    v3.name = "units";
    v3.datatype = literal_bytes("twelve bytes");
    v3.dataspace = literal_bytes("four");
    v3.data = literal_bytes("data!");
    AttributeMessage v2 = v3, v1 = v3;
    v2.version = 2;
    v2.flags = AttributeMessage::kDatatypeShared;
    v2.character_set = CharacterSet::ascii;
    v1.version = 1;
    v1.character_set = CharacterSet::ascii;
    return {v3, v2, v1};
  }
};

template <>
struct Samples<DataLayoutMessage> {
  static DataLayoutMessage chunked(std::uint8_t version, ChunkIndexType index) {
    DataLayoutMessage m{};
    m.version = version;
    m.layout_class = LayoutClass::chunked;
    m.dimensionality = 3;
    m.dimension_width = 2;
    m.index_type = index;
    m.address = Address{0x2000};
    m.dimensions[0] = 10, m.dimensions[1] = 300, m.dimensions[2] = 8;
    m.index = {1000, 1, 32, 4, 4, 16, 10, 2048, 100, 40};
    return m;
  }

  static std::vector<DataLayoutMessage> values(const FileContext&) {
    DataLayoutMessage unallocated{}, contiguous{}, compact{}, virtual_dataset{};
    contiguous.address = Address{0x800};
    contiguous.size = 12345;
    compact.layout_class = LayoutClass::compact;
    compact.compact_data = literal_bytes("raw data");
    virtual_dataset.version = 4;
    virtual_dataset.layout_class = LayoutClass::virtual_dataset;
    virtual_dataset.address = Address{0x3000};
    virtual_dataset.heap_index = 1;
    std::vector<DataLayoutMessage> all{unallocated, contiguous, compact, virtual_dataset};
    for (std::uint8_t version = 1; version <= 3; ++version)
      all.push_back(chunked(version, ChunkIndexType::btree_v1));
    for (unsigned index = 1; index <= 5; ++index)
      for (std::uint8_t version = 4; version <= 5; ++version)
        all.push_back(chunked(version, static_cast<ChunkIndexType>(index)));
    all.push_back(chunked(4, ChunkIndexType::single_chunk));
    all.back().chunk_flags = DataLayoutMessage::kSingleIndexWithFilter;
    for (DataLayoutMessage old : {contiguous, compact}) {
      old.version = 1;
      old.dimensionality = 1;
      old.dimensions[0] = 8;
      all.push_back(old);
    }
    return all;
  }
};

using DatasetMessages = testing::Types<DataspaceMessage, OldFillValueMessage, FillValueMessage,
                                       AttributeMessage, DataLayoutMessage>;
INSTANTIATE_TYPED_TEST_SUITE_P(DatasetMessages, RecordConformance, DatasetMessages);

}  // namespace onecast::format
