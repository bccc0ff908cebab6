#include "structures/chunks/chunk_record_form.hpp"

#include <algorithm>

#include "format/infra/btree_v2_records.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {
namespace {

constexpr std::uint64_t kMaskSize = 4;  // "Filter Mask"

template <class R>
void encode_record(R record, const ChunkEntry& entry, std::span<std::byte> out,
                   const FileContext& file) {
  record.address = entry.address;
  std::copy_n(entry.at.begin(), record.rank, record.scaled_offset.begin());
  ByteWriter writer(out);
  format::encode(writer, file, record);
}

}  // namespace

ChunkRecordForm ChunkRecordForm::of(const BTreeV2& tree, MetadataSource& source, unsigned rank,
                                    bool filtered) {
  const ByteReader in = reader_at(source, tree.address(), BTreeV2Header::kTitle);
  if (tree.header().type != (filtered ? FilteredChunkRecord::kType : ChunkRecord::kType))
    in.fail("Type", filtered ? "is not that of filtered chunks" : "is not that of chunks");
  // The width of chunk sizes depends on the layout's version; the record size tells it.
  const std::uint64_t rest = tree.header().record_size - ChunkRecord::size(source.file(), rank);
  if (filtered ? rest <= kMaskSize || rest > kMaskSize + 8 : rest != 0)
    in.fail("Record Size", "does not fit the dataset's number of dimensions");
  return {rank, static_cast<std::uint8_t>(filtered ? rest - kMaskSize : 0)};
}

BTreeV2Type ChunkRecordForm::type() const {
  return size_size != 0 ? FilteredChunkRecord::kType : ChunkRecord::kType;
}

std::uint16_t ChunkRecordForm::record_size(const FileContext& file) const {
  return static_cast<std::uint16_t>(size_size != 0
                                        ? FilteredChunkRecord::size(file, rank, size_size)
                                        : ChunkRecord::size(file, rank));
}

void ChunkRecordForm::encode(const ChunkEntry& entry, std::span<std::byte> out,
                             const FileContext& file) const {
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
}

std::vector<std::byte> ChunkRecordForm::encoded(const ChunkEntry& entry,
                                                const FileContext& file) const {
  std::vector<std::byte> record(record_size(file));
  encode(entry, record, file);
  return record;
}

ChunkEntry ChunkRecordForm::decode(ByteView record, std::uint64_t chunk_bytes,
                                   const FileContext& file) const {
  ByteReader in(record, Address{}, file, ChunkRecord::kTitle);
  ChunkEntry entry;
  Decoder(in).address("Address", entry.address);
  entry.size = chunk_bytes;
  if (size_size != 0) {
    entry.size = in.uint(size_size, "Chunk Size");
    entry.filter_mask = static_cast<std::uint32_t>(in.uint(kMaskSize, "Filter Mask"));
  }
  for (unsigned d = 0; d < rank; ++d) entry.at[d] = in.uint(8, "Dimension #n Scaled Offset");
  return entry;
}

std::strong_ordering ChunkRecordForm::compare(ByteView record, const ChunkCoordinates& at,
                                              const FileContext& file) const {
  ByteReader in(record, Address{}, file, ChunkRecord::kTitle);
  in.seek(record.size() - std::size_t{8} * rank, "Dimension #n Scaled Offset");
  for (unsigned d = 0; d < rank; ++d)
    if (const std::uint64_t offset = in.uint(8, "Dimension #n Scaled Offset"); offset != at[d])
      return offset <=> at[d];
  return std::strong_ordering::equal;
}

}  // namespace onecast::structures
