#include "objects/chunks/stored_chunk_index.hpp"

#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"
#include "structures/chunks/chunk_array.hpp"
#include "structures/chunks/chunk_btree_v1.hpp"
#include "structures/chunks/chunk_btree_v2.hpp"
#include "structures/chunks/chunk_index_form.hpp"
#include "structures/chunks/chunk_numbering.hpp"
#include "structures/chunks/extensible_array.hpp"
#include "structures/chunks/fixed_array.hpp"

namespace onecast::chunks {
namespace {

template <class Array>
std::unique_ptr<ChunkIndex> array_index(Node& dataset, const ChunkGrid& grid, Address address) {
  // Grids too large for numbers were refused when they were read, created or resized.
  return std::make_unique<ChunkArray<Array>>(
      file_of(dataset).store(), grid, *ChunkNumbering::of(grid), address, has_filters(dataset));
}

}  // namespace

DataLayoutMessage stored_layout(Node& dataset) {
  const HeaderMessage& m = *dataset.header.find(MessageType::data_layout);
  return decode<DataLayoutMessage>(m.data, m.address, file_of(dataset).store().file());
}

std::unique_ptr<ChunkIndex> stored_index(Node& dataset, const ChunkGrid& grid) {
  MetadataSource& source = file_of(dataset).store();
  const DataLayoutMessage layout = stored_layout(dataset);
  if (!layout.address.is_defined()) return nullptr;
  switch (layout.index_type) {
    case ChunkIndexType::btree_v1:
      return std::make_unique<ChunkBTreeV1>(source, grid, layout.address);
    case ChunkIndexType::btree_v2:
      return std::make_unique<ChunkBTreeV2>(source, grid, layout.address, has_filters(dataset));
    case ChunkIndexType::fixed_array:
      return array_index<FixedArray>(dataset, grid, layout.address);
    case ChunkIndexType::extensible_array:
      return array_index<ExtensibleArray>(dataset, grid, layout.address);
    case ChunkIndexType::single_chunk:
    case ChunkIndexType::implicit:
      break;
  }
  return nullptr;
}

void require_index_room(Node& dataset, const Shape& shape) {
  const FileState& file = file_of(dataset);
  const HeaderMessage& m = *dataset.header.find(MessageType::data_layout);
  const DataLayoutMessage layout = stored_layout(dataset);
  const bool extensible = layout.index_type == ChunkIndexType::extensible_array;
  if (!extensible && layout.index_type != ChunkIndexType::fixed_array) return;
  const DatasetInfo& info = dataset.dataset();
  const Shape& most = info.space.max_shape().empty() ? info.space.shape() : info.space.max_shape();
  const ChunkGrid grid(layout, shape, most, info.type.size(), m.address, file.store().file());
  if (extensible ? exceeds_extensible_array(grid) : exceeds_fixed_array(grid))
    throw unsupported_error("{}: not supported: this number of chunks in {} array", dataset.where(),
                            extensible ? "an extensible" : "a fixed");
  // Throws if the array in the file is smaller than the dataset may become.
  static_cast<void>(stored_index(dataset, grid));
}

}  // namespace onecast::chunks
