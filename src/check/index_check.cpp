#include "check/index_check.hpp"

#include <algorithm>

#include "check/tree_walk.hpp"
#include "structures/chunks/chunk_numbering.hpp"
#include "structures/chunks/chunk_order.hpp"
#include "structures/chunks/chunk_record_form.hpp"
#include "structures/chunks/extensible_array.hpp"
#include "structures/chunks/fixed_array.hpp"
#include "structures/chunks/open_chunk_index.hpp"

namespace onecast::check {
namespace {

ChunkCoordinates first_chunk(const BTreeV1ChunkKey& key, const ChunkGrid& grid) {
  ChunkCoordinates at;
  for (unsigned d = 0; d < grid.rank; ++d) at[d] = key.offset[d] / grid.chunk[d];
  return at;
}

BTreeV1ChunkKey key_of(const BTreeV1& tree, const ChunkGrid& grid, const BTreeV1Step& at) {
  BTreeV1ChunkKey key;
  key.rank = grid.rank;
  ByteReader in = tree.key(at.node, at.index);
  decode_into(in, key);
  return key;
}

/// Checks that a search finds the chunk: every node on its path must have a key at or before it to
/// the left, and one after it, if only by its element offset, to the right.
void require_found(const BTreeV1& tree, const ChunkGrid& grid, const BTreeV1Path& path,
                   const ChunkCoordinates& at) {
  for (const auto& [node, index] : path) {
    const ChunkCoordinates left = first_chunk(key_of(tree, grid, {node, index}), grid);
    const BTreeV1ChunkKey right = key_of(tree, grid, {node, index + 1});
    const auto behind = compare_chunks(first_chunk(right, grid), at, grid.rank);
    if (compare_chunks(left, at, grid.rank) > 0 || behind < 0 ||
        (behind == 0 && right.element_offset == 0))
      tree.key(node, index)
          .fail("Offset of the chunk within the dataset", "hides a chunk below it from a search");
  }
}

void check_btree_v1(CheckContext& context, const ChunkGrid& grid, Address address,
                    const ChunkIndex::Each& each) {
  const std::size_t key_size = BTreeV1ChunkKey::size(grid.rank);
  const BTreeV1 tree(context.source, address, BTreeV1NodeType::chunk, key_size);
  const auto entries =
      static_cast<std::uint16_t>(2 * context.superblock.indexed_storage_internal_node_k);
  const std::uint64_t size = BTreeV1Node::prefix_size(context.file()) +
                             BTreeV1Node::entries_size(context.file(), key_size, entries);
  AscendingChunks order(grid.rank);
  BTreeV1Check(context, tree, size, [&](const BTreeV1Path& path) {
    const auto& [node, i] = path.back();
    const BTreeV1ChunkKey key = key_of(tree, grid, path.back());
    const ByteReader in = tree.key(node, i);
    const ChunkEntry entry{first_chunk(key, grid), tree.child(node, i), key.chunk_size,
                           key.filter_mask};
    for (unsigned d = 0; d < grid.rank; ++d)
      if (entry.at[d] * grid.chunk[d] != key.offset[d])
        in.fail("Offset of the chunk within the dataset", "is not a multiple of the chunk's size");
    if (!order.follows(entry.at))
      in.fail("Offset of the chunk within the dataset", "does not ascend");
    require_found(tree, grid, path, entry.at);
    each(entry);
  }).run();
}

void check_btree_v2(CheckContext& context, const ChunkGrid& grid, Address address, bool filtered,
                    const ChunkIndex::Each& each) {
  const BTreeV2 tree(context.source, address);
  const auto form = ChunkRecordForm::of(tree, context.source, grid.rank, filtered);
  BTreeV2Check(context, tree, [&](ByteView record, Address /*node*/) {
    const ChunkEntry entry = form.decode(record, grid.bytes, context.file());
    if (entry.address.is_defined()) each(entry);
  }).run();
}

/// The number of the first element after the part with element n; a part has its own checksum.
std::uint64_t end_of_part(CheckContext& context, const FixedArray&, Address address,
                          std::uint64_t n) {
  const auto header = read_record<FixedArrayHeader>(context.source, address,
                                                    FixedArrayHeader::size(context.file()));
  const std::uint64_t page = std::uint64_t{1} << header.page_bits;
  return header.max_entries > page ? (n / page + 1) * page : header.max_entries;
}

std::uint64_t end_of_part(CheckContext& context, const ExtensibleArray& array, Address address,
                          std::uint64_t n) {
  const auto header = read_record<ExtensibleArrayHeader>(
      context.source, address, ExtensibleArrayHeader::size(context.file()));
  if (n < header.index_elements) return header.index_elements;
  const auto shape = ExtensibleArrayShape::of(header);
  const ExtensibleArrayShape::Position at = shape.position(n);
  const unsigned u = at.secondary_block;
  const std::uint64_t part = shape.pages(u) != 0 ? shape.page_elements : shape.elements(u);
  return std::min(array.size(), n - at.element % part + part);
}

template <class Array>
void check_array(CheckContext& context, const ChunkGrid& grid, Address address, bool filtered,
                 const ChunkIndex::Each& each) {
  if (!context.claim(address, "array of chunks")) return;
  Array array(context.source, address, filtered);
  const auto numbering = ChunkNumbering::of(grid);
  const std::uint64_t end = numbering ? std::min(array.size(), numbering->size()) : 0;
  // Stops early: if the part that locates all others is damaged, each of them fails.
  constexpr unsigned kMostFailures = 1000;
  unsigned failures = 0;
  for (std::uint64_t n = 0; n < end && failures < kMostFailures;) {
    ElementStretch stretch;
    if (!context.attempt("", [&] { stretch = array.stretch(n); })) {
      ++failures;
      n = end_of_part(context, array, address, n);
      continue;
    }
    const std::uint64_t behind = stretch.first + stretch.count;
    for (; !stretch.elements.empty() && n < std::min(end, behind); ++n)
      context.attempt("", [&] {
        const ChunkElement element = array.reader().element(stretch, n, context.file());
        if (element.address.is_defined())
          each({numbering->coordinates(n), element.address,
                filtered ? element.chunk_size : grid.bytes, element.filter_mask});
      });
    n = behind;
  }
}

}  // namespace

void check_chunk_index(CheckContext& context, const ChunkGrid& grid,
                       const DataLayoutMessage& layout, bool filtered,
                       const ChunkIndex::Each& each) {
  if (!layout.address.is_defined() || grid.total == 0) return;
  const UseGuard use(context.source, Use::chunks);
  switch (layout.index_type) {
    case ChunkIndexType::btree_v1:
      return check_btree_v1(context, grid, layout.address, each);
    case ChunkIndexType::btree_v2:
      return check_btree_v2(context, grid, layout.address, filtered, each);
    case ChunkIndexType::fixed_array:
      return check_array<FixedArray>(context, grid, layout.address, filtered, each);
    case ChunkIndexType::extensible_array:
      return check_array<ExtensibleArray>(context, grid, layout.address, filtered, each);
    case ChunkIndexType::single_chunk:
    case ChunkIndexType::implicit:
      break;
  }
  open_chunk_index(context.source, grid, layout, filtered)->for_each(each);
}

}  // namespace onecast::check
