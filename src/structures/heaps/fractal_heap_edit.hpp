#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "format/infra/btree_v2_records.hpp"
#include "structures/block_edits.hpp"
#include "structures/btree_v2_edit.hpp"
#include "structures/heaps/fractal_heap.hpp"

namespace onecast::structures {

/// Changes a fractal heap in place. Objects are added after the last one, in the last direct block
/// or in a new one, as other writers do in a heap without a free-space manager. The space of
/// removed managed objects stays unused; a wasteful heap must be written anew.
class FractalHeapEdit {
 public:
  FractalHeapEdit(BlockEdits& blocks, Address header);

  /// False if the heap must be written anew: its blocks are filtered, or its IDs contain addresses.
  [[nodiscard]] bool is_changeable() const;
  /// True if objects take less than half of the space in use.
  [[nodiscard]] bool is_wasteful();

  /// Adds an object and returns its ID.
  std::vector<std::byte> add(std::uint64_t size);
  void remove(ByteView id);
  /// The bytes of a new or changed object, which can be written until finish().
  std::span<std::byte> bytes(ByteView id);
  /// The bytes of an object that is in the file.
  ByteView stored(ByteView id) { return stored_.object(id); }

  /// Encodes everything that does not depend on the bytes of objects; all changed blocks are then
  /// known.
  void lay_out();
  /// Must be called when all objects are written.
  void finish();

 private:
  struct LastBlock {
    std::uint64_t offset;
    Address address;
    std::uint64_t size;
    std::uint64_t used;
  };

  /// Finds the last block, at the first call.
  void find_last_block();
  void set_last(std::uint64_t offset);
  void new_block(std::uint64_t needed);
  /// The offset and size of the next block of at least `needed` bytes.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> next_block(std::uint64_t needed) const;
  void hang_in(std::uint64_t offset, Address block);
  Address add_indirect(std::uint64_t offset, unsigned rows);
  FractalHeapIndirectBlock& indirect(Address address, std::uint64_t offset, unsigned rows);
  [[nodiscard]] std::uint64_t indirect_size(std::uint64_t children) const;
  void grow_root(unsigned row);
  /// The bytes that an empty heap would have for objects, in the blocks of the root's rows.
  [[nodiscard]] std::uint64_t capacity() const;
  std::span<std::byte> open(std::uint64_t offset, const FileRange& block);
  void drop_free_space_manager();

  [[nodiscard]] BTreeV2Edit::Compare key_order(std::uint64_t key) const;
  std::uint64_t add_huge(std::uint64_t size);
  void remove_huge(std::uint64_t key);
  HugeIndirectRecord huge_record(std::uint64_t key);
  BTreeV2Edit& huge_tree();

  BlockEdits& blocks_;
  Address address_;
  FractalHeap stored_;
  FractalHeapHeader header_;
  const DoublingTable& table_;
  HeapIdWidths widths_;
  std::uint64_t prefix_;
  std::optional<LastBlock> last_;  ///< absent if there is no block, or it is not known how full it
                                   ///< is
  std::uint64_t end_ = 0;          ///< offset after the last block
  bool knows_last_ = false;
  std::map<std::uint64_t, FileRange> open_;  ///< changed direct blocks, by offset
  std::map<Address, FractalHeapIndirectBlock> indirect_;
  std::optional<BTreeV2Edit> huge_tree_;
};

}  // namespace onecast::structures
