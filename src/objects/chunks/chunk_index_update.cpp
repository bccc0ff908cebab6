#include "objects/chunks/chunk_index_update.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "objects/chunks/edited_chunks.hpp"
#include "objects/chunks/stored_chunk_index.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"
#include "structures/chunks/chunk_array.hpp"
#include "structures/chunks/chunk_btree_v1.hpp"
#include "structures/chunks/chunk_btree_v1_edit.hpp"
#include "structures/chunks/chunk_btree_v1_pieces.hpp"
#include "structures/chunks/chunk_btree_v2.hpp"
#include "structures/chunks/chunk_btree_v2_edit.hpp"
#include "structures/chunks/chunk_btree_v2_pieces.hpp"
#include "structures/chunks/chunk_index_blocks.hpp"
#include "structures/chunks/chunk_index_form.hpp"
#include "structures/chunks/chunk_numbering.hpp"
#include "structures/chunks/extensible_array_pieces.hpp"
#include "structures/chunks/fixed_array_pieces.hpp"

namespace onecast::chunks {
namespace {

ChunkTable& table_of(const Node& dataset) { return known_edited_chunks(dataset)->table(); }

ChunkIndexUse use_of(Node& dataset) {
  FileState& file = file_of(dataset);
  return {table_of(dataset).grid(), has_filters(dataset), file.allocator().page_size(),
          file.store().file()};
}

DataLayoutMessage renewed_layout(Node& dataset, const HeaderMessage& m) {
  auto layout = decode<DataLayoutMessage>(m.data, m.address, file_of(dataset).store().file());
  renew_chunk_index(layout, use_of(dataset));
  return layout;
}

using SlotList = std::vector<std::pair<std::uint64_t, ChunkSlot>>;

/// Returns a function that gives the chunks in the order of their coordinates.
std::function<ChunkEntry(std::uint64_t)> entries_of(const ChunkTable::Slots& chunks,
                                                    const ChunkGrid& grid) {
  auto slots = std::make_shared<SlotList>(chunks.begin(), chunks.end());
  return [slots, grid](std::uint64_t i) {
    const auto& [number, slot] = (*slots)[static_cast<std::size_t>(i)];
    return ChunkEntry{grid.coordinates(number), slot.address, slot.size, slot.filter_mask};
  };
}

/// Writes elements of an array from the state of the table at that time. The table must outlive the
/// writer.
ElementWriter elements_of(const ChunkTable& table, const ChunkNumbering& numbering,
                          std::uint8_t size_size) {
  return {size_size, [&table, numbering](std::uint64_t number) {
            ChunkElement element;
            const ChunkCoordinates at = numbering.coordinates(number);
            if (!table.grid().contains(at)) return element;
            if (const auto slot = table.find(table.grid().number(at))) {
              element.address = slot->address;
              element.chunk_size = slot->size;
              element.filter_mask = slot->filter_mask;
            }
            return element;
          }};
}

std::shared_ptr<ChunkArrayPieces> new_array(const ChunkTable& table,
                                            const ChunkNumbering& numbering,
                                            const DataLayoutMessage& layout,
                                            const ChunkIndexUse& use) {
  ElementWriter elements = elements_of(table, numbering, chunk_size_size(use));
  if (layout.index_type == ChunkIndexType::fixed_array)
    return std::make_shared<FixedArrayPieces>(numbering.size(), layout.index.page_bits,
                                              std::move(elements), use.file);
  return std::make_shared<ExtensibleArrayPieces>(empty_extensible_array(layout.index),
                                                 std::move(elements), use.file);
}

/// Returns the array in the file; null if it has no elements yet, or cannot be changed: a block
/// smaller than a metadata page must not straddle two pages.
std::shared_ptr<ChunkArrayPieces> stored_array(Node& dataset) {
  const ChunkTable& table = table_of(dataset);
  const DataLayoutMessage layout = stored_layout(dataset);
  MetadataSource& source = file_of(dataset).store();
  const ChunkNumbering numbering = *ChunkNumbering::of(table.grid());
  const auto elements = [&](const auto& array) {
    return elements_of(table, numbering, array.reader().size_size());
  };
  if (layout.index_type == ChunkIndexType::fixed_array) {
    FixedArray array(source, layout.address, has_filters(dataset));
    if (!array.header().data_block.is_defined()) return nullptr;
    return std::make_shared<FixedArrayPieces>(array, elements(array), source.file());
  }
  ExtensibleArray array(source, layout.address, has_filters(dataset));
  const ExtensibleArrayHeader& header = array.header();
  const std::uint64_t page = std::uint64_t{header.element_size} << header.page_bits;
  if (!header.index_block.is_defined() ||
      page + ChunkArrayPage::kChecksumSize < file_of(dataset).allocator().page_size())
    return nullptr;
  return std::make_shared<ExtensibleArrayPieces>(array, elements(array), source.file());
}

std::shared_ptr<Pieces> new_btree_v1(Node& dataset, const ChunkTable::Slots& chunks) {
  if (chunks.empty()) return nullptr;
  const FileState& file = file_of(dataset);
  const ChunkGrid& grid = table_of(dataset).grid();
  return std::make_shared<ChunkBTreeV1Pieces>(
      grid, dataset.dataset().type.size(), chunks.size(),
      file.store().superblock().indexed_storage_internal_node_k, file.store().file(),
      entries_of(chunks, grid));
}

/// Makes an index of all chunks.
std::shared_ptr<Pieces> new_index(Node& dataset, const ChunkTable::Slots& chunks) {
  ChunkTable& table = table_of(dataset);
  if (chunks.empty()) return nullptr;
  const DataLayoutMessage layout =
      renewed_layout(dataset, *dataset.header.find(MessageType::data_layout));
  const ChunkIndexUse use = use_of(dataset);
  switch (layout.index_type) {
    case ChunkIndexType::single_chunk:
      return nullptr;
    case ChunkIndexType::fixed_array:
    case ChunkIndexType::extensible_array: {
      const ChunkNumbering numbering = *ChunkNumbering::of(table.grid());
      table.array = new_array(table, numbering, layout, use);
      for (const auto& [chunk, slot] : chunks)
        table.array->change(numbering.number(table.grid().coordinates(chunk)));
      return table.array;
    }
    case ChunkIndexType::btree_v2:
      return chunk_btree_v2_pieces({use.grid.rank, chunk_size_size(use)}, layout.index.node_size,
                                   chunks.size(), entries_of(chunks, table.grid()), use.file);
    case ChunkIndexType::btree_v1:
    case ChunkIndexType::implicit:
      break;
  }
  return new_btree_v1(dataset, chunks);
}

std::shared_ptr<ChunkIndexEdit> edit_of(Node& dataset, const Pieces::Take& take) {
  const FileState& file = file_of(dataset);
  const ChunkGrid& grid = table_of(dataset).grid();
  const DataLayoutMessage layout = stored_layout(dataset);
  if (layout.index_type == ChunkIndexType::btree_v2)
    return std::make_shared<ChunkBTreeV2Edit>(
        file.store(), grid, layout.address, has_filters(dataset), take,
        file.is_swmr() ? ChunkBTreeV2Edit::Nodes::move : ChunkBTreeV2Edit::Nodes::change);
  return std::make_shared<ChunkBTreeV1Edit>(
      file.store(), grid, dataset.dataset().type.size(), layout.address,
      file.store().superblock().indexed_storage_internal_node_k, take);
}

/// Returns the index in the file with the changes since. An index that cannot be changed, or is
/// damaged where it has to change, is written anew if its chunks can still be found.
std::shared_ptr<Pieces> changed_index(Node& dataset, const Pieces::Take& take,
                                      ReplacedIndex& replaced) {
  const ChunkTable& table = table_of(dataset);
  std::vector<FileRange> taken;
  const auto noted_take = [&](std::uint64_t size) {
    taken.push_back({take(size), size});
    return taken.back().address;
  };
  try {
    const auto index = edit_of(dataset, noted_take);
    table.for_each_lost([&](const ChunkEntry& entry) { index->remove(entry.at); });
    for (const auto& [number, slot] : table.slots())
      index->set({table.grid().coordinates(number), slot.address, slot.size, slot.filter_mask});
    index->finish();
    for (const FileRange& r : index->released()) replaced.stored.push_back(r);
    return index;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format && error.code() != ErrorCode::unsupported) throw;
    // Blocks of a damaged index may belong to another structure.
    if (error.code() == ErrorCode::unsupported) replaced.stored = chunk_index_blocks(dataset);
  }
  replaced.abandoned.insert(replaced.abandoned.end(), taken.begin(), taken.end());
  return new_index(dataset, table.all());
}

std::shared_ptr<Pieces> changed_array(Node& dataset, ReplacedIndex& replaced) {
  ChunkTable& table = table_of(dataset);
  if (table.array == nullptr) table.array = stored_array(dataset);
  if (table.array == nullptr) {
    replaced.stored = chunk_index_blocks(dataset);
    return new_index(dataset, table.all());
  }
  const ChunkNumbering numbering = *ChunkNumbering::of(table.grid());
  table.for_each_lost(
      [&](const ChunkEntry& entry) { table.array->change(numbering.number(entry.at)); });
  for (const auto& [chunk, slot] : table.slots())
    table.array->change(numbering.number(table.grid().coordinates(chunk)));
  return table.array;
}

}  // namespace

std::vector<FileRange> chunk_index_blocks(Node& dataset) {
  const FileState& file = file_of(dataset);
  std::vector<FileRange> blocks;
  for_each_index_block(file.store(), table_of(dataset).grid(), stored_layout(dataset),
                       has_filters(dataset),
                       file.store().superblock().indexed_storage_internal_node_k,
                       [&](Address block, std::uint64_t size) { blocks.push_back({block, size}); });
  return blocks;
}

std::shared_ptr<Pieces> make_chunk_index(Node& dataset, const Pieces::Take& take,
                                         ReplacedIndex& replaced) {
  const ChunkTable& table = table_of(dataset);
  if (table.stored() == nullptr) return new_index(dataset, table.slots());
  const ChunkIndexType type = stored_layout(dataset).index_type;
  const bool is_array =
      type == ChunkIndexType::fixed_array || type == ChunkIndexType::extensible_array;
  return is_array ? changed_array(dataset, replaced) : changed_index(dataset, take, replaced);
}

DataLayoutMessage layout_with_index(Node& dataset, const HeaderMessage& m, Address index) {
  if (DataLayoutMessage stored = stored_layout(dataset);
      stored.version >= 4 && index.is_defined() && index == stored.address)
    return stored;
  DataLayoutMessage layout = renewed_layout(dataset, m);
  layout.address = index;
  if (layout.index_type != ChunkIndexType::single_chunk) return layout;
  const auto& slots = table_of(dataset).slots();
  const ChunkSlot slot = slots.empty() ? ChunkSlot{} : slots.begin()->second;
  layout.address = slot.address;
  layout.index.filtered_size = slot.size;
  layout.index.filter_mask = slot.filter_mask;
  return layout;
}

void note_chunk_index(Node& dataset, Pieces* pieces, std::span<const Address> addresses) {
  FileState& file = file_of(dataset);
  const Address index = addresses.empty() ? Address{} : addresses.front();
  for (HeaderMessage& m : dataset.header.messages)
    if (m.type == MessageType::data_layout)
      m.data = encode_kept(layout_with_index(dataset, m, index), file.store().file(), file.arena());
  ChunkTable& table = table_of(dataset);
  if (pieces == nullptr)
    table.array.reset();
  else
    pieces->note_places(addresses);
  table.commit(stored_index(dataset, table.grid()));
}

}  // namespace onecast::chunks
