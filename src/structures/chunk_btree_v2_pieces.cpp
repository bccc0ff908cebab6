#include "structures/chunk_btree_v2_pieces.hpp"

#include <algorithm>

#include "format/infra/btree_v2_records.hpp"
#include "structures/btree_v2_pieces.hpp"

namespace onecast {
namespace {

template <class R>
void encode_record(R record, const ChunkEntry& entry, std::span<std::byte> out,
                   const FileContext& file) {
  record.address = entry.address;
  std::copy_n(entry.at.begin(), record.rank, record.scaled_offset.begin());
  ByteWriter writer(out);
  encode(writer, file, record);
}

}  // namespace

std::unique_ptr<Pieces> chunk_btree_v2_pieces(unsigned rank, std::uint32_t node_size,
                                              std::uint8_t size_size, std::uint64_t count,
                                              std::function<ChunkEntry(std::uint64_t)> chunk,
                                              const FileContext& file) {
  const bool filtered = size_size != 0;
  BTreeV2Plan plan;
  plan.type = filtered ? FilteredChunkRecord::kType : ChunkRecord::kType;
  plan.record_size = static_cast<std::uint16_t>(
      filtered ? FilteredChunkRecord::size(file, rank, size_size) : ChunkRecord::size(file, rank));
  plan.record_count = count;
  plan.node_size = node_size;
  return std::make_unique<BTreeV2Pieces>(
      plan, file,
      [rank, size_size, chunk = std::move(chunk), file](std::uint64_t i, std::span<std::byte> out) {
        const ChunkEntry entry = chunk(i);
        if (size_size == 0) {
          ChunkRecord record;
          record.rank = rank;
          return encode_record(record, entry, out, file);
        }
        FilteredChunkRecord record;
        record.rank = rank;
        record.chunk_size_size = size_size;
        record.chunk_size = entry.size;
        record.filter_mask = entry.filter_mask;
        encode_record(record, entry, out, file);
      });
}

}  // namespace onecast
