#include "format/infra/virtual_dataset_block.hpp"

#include "record_conformance.hpp"

namespace onecast::format {

template <>
struct Samples<VirtualDatasetBlock> {
  static std::vector<VirtualDatasetBlock> values(const FileContext&) {
    DataspaceSelection all, part;
    part.type = SelectionType::hyperslabs;
    part.version = 3;
    part.flags = DataspaceSelection::kRegular;
    part.encode_size = 2;
    part.rank = 1;
    part.numbers = {1, 2, 3, 1};
    VirtualMappingEntry plain;
    plain.file_name = "source.h5";
    plain.dataset_name = "/group/%b";
    plain.source = all;
    plain.mapped = part;
    VirtualDatasetBlock old{0, {plain, plain}};
    plain.block_version = 1;
    VirtualMappingEntry shared = plain, same = plain;
    shared.flags = VirtualMappingEntry::kSharedFileName | VirtualMappingEntry::kSharedDatasetName;
    shared.file_name = shared.dataset_name = {};
    same.flags = VirtualMappingEntry::kSameFile;
    same.file_name = {};
    return {{0, {}}, old, {1, {plain, shared, same}}};
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(VirtualDatasets, RecordConformance,
                               testing::Types<VirtualDatasetBlock>);

}  // namespace onecast::format
