#include "structures/chunks/open_chunk_index.hpp"

#include "structures/chunks/chunk_array.hpp"
#include "structures/chunks/chunk_btree_v1.hpp"
#include "structures/chunks/chunk_btree_v2.hpp"
#include "structures/chunks/chunk_order.hpp"
#include "structures/chunks/extensible_array.hpp"
#include "structures/chunks/fixed_array.hpp"

namespace onecast::structures {
namespace {

/// The index of a dataset that was never written.
class NoChunks final : public ChunkIndex {
 public:
  void for_each(const Each& /*each*/) const override {}
  void for_each_in(const ChunkBox& /*box*/, const Each& /*each*/) const override {}
  [[nodiscard]] bool is_computed() const override { return true; }
};

/// "Single Chunk Indexing": the dataset has only one chunk.
class SingleChunk final : public ChunkIndex {
 public:
  SingleChunk(const ChunkEntry& entry, unsigned rank) : entry_(entry), rank_(rank) {}
  void for_each(const Each& each) const override { each(entry_); }
  void for_each_in(const ChunkBox& box, const Each& each) const override {
    if (is_inside(box, entry_.at, rank_)) each(entry_);
  }
  [[nodiscard]] bool is_computed() const override { return true; }

 private:
  ChunkEntry entry_;
  unsigned rank_;
};

/// "Implicit Indexing": all chunks that may ever exist, adjacent in the file.
class ImplicitChunks final : public ChunkIndex {
 public:
  ImplicitChunks(MetadataSource& source, const ChunkNumbering& numbering, Address first,
                 std::uint64_t chunk_bytes)
      : source_(source), numbering_(numbering), first_(first), chunk_bytes_(chunk_bytes) {}

  void for_each(const Each& each) const override {
    // Fails if the file has no room for all chunks.
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(numbering_.size(), chunk_bytes_, &bytes) ||
        __builtin_add_overflow(bytes, first_.value, &bytes))
      reader_at(source_, first_, DataLayoutMessage::kTitle)
          .fail("Dimension #n Size", "makes up more chunks than any file can hold");
    source_.view(Address{bytes - 1}, 1, "Raw Data");
    for (std::uint64_t n = 0; n < numbering_.size(); ++n) each(entry(n, numbering_.coordinates(n)));
  }
  void for_each_in(const ChunkBox& box, const Each& each) const override {
    numbering_.for_each_row(box, [&](std::uint64_t n, std::uint64_t count, ChunkCoordinates& at,
                                     std::uint64_t& moving) {
      for (const std::uint64_t end = n + count; n < end; ++n, ++moving) each(entry(n, at));
    });
  }
  [[nodiscard]] bool is_computed() const override { return true; }

 private:
  [[nodiscard]] ChunkEntry entry(std::uint64_t number, const ChunkCoordinates& at) const {
    return {at, first_ + number * chunk_bytes_, chunk_bytes_, 0};
  }

  MetadataSource& source_;
  ChunkNumbering numbering_;
  Address first_;
  std::uint64_t chunk_bytes_;
};

std::unique_ptr<ChunkIndex> open_single(const ChunkGrid& grid, const DataLayoutMessage& layout) {
  ChunkEntry entry;
  entry.at.fill(0);
  entry.address = layout.address;
  entry.size = grid.bytes;
  if ((layout.chunk_flags & DataLayoutMessage::kSingleIndexWithFilter) != 0) {
    entry.size = layout.index.filtered_size;
    entry.filter_mask = layout.index.filter_mask;
  }
  return std::make_unique<SingleChunk>(entry, grid.rank);
}

}  // namespace

std::unique_ptr<ChunkIndex> open_chunk_index(MetadataSource& source, const ChunkGrid& grid,
                                             const DataLayoutMessage& layout, bool filtered) {
  if (!layout.address.is_defined() || grid.total == 0) return std::make_unique<NoChunks>();
  const auto numbering = [&] {
    const auto found = ChunkNumbering::of(grid);
    if (!found)
      reader_at(source, layout.address, DataLayoutMessage::kTitle)
          .fail("Dimension #n Size", "makes up more than 2^64 chunks");
    return *found;
  };
  switch (layout.index_type) {
    case ChunkIndexType::btree_v1:
      return std::make_unique<ChunkBTreeV1>(source, grid, layout.address);
    case ChunkIndexType::single_chunk:
      return open_single(grid, layout);
    case ChunkIndexType::implicit:
      return std::make_unique<ImplicitChunks>(source, numbering(), layout.address, grid.bytes);
    case ChunkIndexType::fixed_array:
      return std::make_unique<ChunkArray<FixedArray>>(source, grid, numbering(), layout.address,
                                                      filtered);
    case ChunkIndexType::extensible_array:
      return std::make_unique<ChunkArray<ExtensibleArray>>(source, grid, numbering(),
                                                           layout.address, filtered);
    case ChunkIndexType::btree_v2:
      break;
  }
  return std::make_unique<ChunkBTreeV2>(source, grid, layout.address, filtered);
}

}  // namespace onecast::structures
