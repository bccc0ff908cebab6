#include "structures/chunks/chunk_index_blocks.hpp"

#include "structures/btree_v2.hpp"
#include "structures/chunks/chunk_btree_v1.hpp"
#include "structures/chunks/chunk_btree_v1_pieces.hpp"
#include "structures/chunks/extensible_array.hpp"
#include "structures/chunks/fixed_array.hpp"

namespace onecast::structures {

void for_each_index_block(MetadataSource& source, const ChunkGrid& grid,
                          const DataLayoutMessage& layout, bool filtered, unsigned node_k,
                          const std::function<void(Address, std::uint64_t)>& each) {
  if (!layout.address.is_defined()) return;
  switch (layout.index_type) {
    case ChunkIndexType::btree_v1:
      for (const Address node : ChunkBTreeV1(source, grid, layout.address).nodes())
        each(node, ChunkBTreeV1Pieces::node_size(grid.rank, node_k, source.file()));
      return;
    case ChunkIndexType::fixed_array:
      return FixedArray(source, layout.address, filtered).for_each_block(each);
    case ChunkIndexType::extensible_array:
      return ExtensibleArray(source, layout.address, filtered).for_each_block(each);
    case ChunkIndexType::btree_v2:
      each(layout.address, BTreeV2Header::size(source.file()));
      return BTreeV2(source, layout.address).for_each_node(each);
    case ChunkIndexType::single_chunk:
    case ChunkIndexType::implicit:
      return;
  }
}

}  // namespace onecast::structures
