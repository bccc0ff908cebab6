#include "format/objects/dataspace_selection.hpp"

#include "record_conformance.hpp"

namespace onecast::format {

template <>
struct Samples<DataspaceSelection> {
  static std::vector<DataspaceSelection> values(const FileContext&) {
    DataspaceSelection all, none, points, wide_points, blocks, regular, small_regular, small_blocks;
    none.type = SelectionType::none;
    points.type = wide_points.type = SelectionType::points;
    points.rank = 2;
    points.numbers = {1, 2, 3, 4};
    points.length = 24;
    wide_points.version = 2;
    wide_points.encode_size = 8;
    wide_points.rank = 1;
    wide_points.numbers = {1, 1ULL << 40U};
    for (DataspaceSelection* s : {&blocks, &regular, &small_regular, &small_blocks}) {
      s->type = SelectionType::hyperslabs;
      s->rank = 2;
      s->numbers = {0, 1, 2, 3};
    }
    blocks.length = 24;
    regular.version = 2;
    regular.flags = DataspaceSelection::kRegular;
    regular.encode_size = 8;
    regular.numbers = {1, 2, 3, 1, 0, 1, ~std::uint64_t{0}, 1};
    small_regular.version = small_blocks.version = 3;
    small_regular.flags = DataspaceSelection::kRegular;
    small_regular.encode_size = small_blocks.encode_size = 2;
    small_regular.numbers = {1, 2, 3, 1, 0, 1, 0xffff, 1};
    return {all, none, points, wide_points, blocks, regular, small_regular, small_blocks};
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Selections, RecordConformance, testing::Types<DataspaceSelection>);

}  // namespace onecast::format
