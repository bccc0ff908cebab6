#include "structures/chunks/chunk_btree_v2_pieces.hpp"

#include "structures/btree_v2_pieces.hpp"

namespace onecast::structures {

std::unique_ptr<Pieces> chunk_btree_v2_pieces(const ChunkRecordForm& form, std::uint32_t node_size,
                                              std::uint64_t count,
                                              std::function<ChunkEntry(std::uint64_t)> chunk,
                                              const FileContext& file) {
  BTreeV2Plan plan;
  plan.type = form.type();
  plan.record_size = form.record_size(file);
  plan.record_count = count;
  plan.node_size = node_size;
  return std::make_unique<BTreeV2Pieces>(
      plan, file,
      [form, chunk = std::move(chunk), file](std::uint64_t i, std::span<std::byte> out) {
        form.encode(chunk(i), out, file);
      });
}

}  // namespace onecast::structures
