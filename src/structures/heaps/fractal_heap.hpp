#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "base/namespaces.hpp"
#include "filters/filter_spec.hpp"
#include "format/infra/fractal_heap.hpp"
#include "structures/btree_v2.hpp"
#include "structures/heaps/doubling_table.hpp"
#include "structures/metadata_source.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::structures {

/// The widths of the fields of a heap's IDs; they follow from its header.
struct HeapIdWidths {
  std::uint8_t offset;    ///< managed objects
  std::uint8_t length;    ///< managed objects
  std::uint8_t huge_key;  ///< indirectly accessed huge objects
  bool huge_is_direct;
  bool tiny_is_extended;
};
HeapIdWidths heap_id_widths(const FractalHeapHeader& header, const FileContext& file);

/// The checksum of a direct block. The checksum field at `checksum_at` counts as zero.
std::uint32_t direct_block_checksum(ByteView block, std::size_t checksum_at);

/// Reads objects from a fractal heap by their heap IDs. Blocks are checked at their first use.
/// Unfiltered copies of filtered bytes are kept as long as the source.
class FractalHeap {
 public:
  FractalHeap(MetadataSource& source, Address header);

  [[nodiscard]] const FractalHeapHeader& header() const { return header_; }

  /// The object with this ID, which must have the heap's ID length.
  ByteView object(ByteView heap_id);

  /// Bytes in their stored form; without filters, only the address is used.
  struct Stored {
    Address address;
    std::uint64_t size;
    std::uint32_t filter_mask;
  };
  /// Returns the `size` bytes after filters were undone.
  ByteView view(const Stored& stored, std::uint64_t size, const char* title);

  struct DirectBlock {
    Address address;
    std::uint64_t offset;
    ByteView bytes;
    std::size_t prefix;
  };
  /// The block that contains this byte of the heap's address space.
  const DirectBlock& direct_block(std::uint64_t heap_offset);
  const FractalHeapIndirectBlock& indirect_block(Address address, std::uint64_t block_offset,
                                                 unsigned rows);
  [[nodiscard]] const DoublingTable& table() const { return table_; }

  /// Calls `each(Address, size)` for all space that the heap takes in the file, also where there
  /// are no objects.
  void for_each_block(const std::function<void(Address, std::uint64_t)>& each);

 private:
  ByteView managed(ByteReader id);
  ByteView huge(ByteReader id);
  template <class Record>
  Record huge_record(std::uint64_t key);
  BTreeV2& huge_tree();
  void for_each_managed_block(const std::function<void(Address, std::uint64_t)>& each);
  void for_each_huge_block(const std::function<void(Address, std::uint64_t)>& each);

  const DirectBlock& load_direct(const Stored& stored, std::uint64_t block_offset,
                                 std::uint64_t size);
  void check_prefix(Address address, const char* title, Address heap, std::uint64_t found_offset,
                    std::uint64_t block_offset) const;

  MetadataSource* source_;
  Address address_;
  FractalHeapHeader header_;
  DoublingTable table_;
  std::vector<FilterSpec> filters_;
  HeapIdWidths widths_{};
  std::optional<BTreeV2> huge_tree_;
  std::unordered_map<Address, DirectBlock> direct_blocks_;
  std::unordered_map<Address, FractalHeapIndirectBlock> indirect_blocks_;
  VisitedExtents visited_;
};

}  // namespace onecast::structures
