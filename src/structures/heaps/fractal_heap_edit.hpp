#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "format/infra/btree_v2_records.hpp"
#include "structures/block_edits.hpp"
#include "structures/btree_v2_edit.hpp"
#include "structures/heaps/fractal_heap.hpp"

namespace onecast::structures {

/// Changes a fractal heap where it lies. Objects are added behind the last one, in the last direct
/// block or in a new one behind it, as other writers do in a heap without a free-space manager. The
/// space of managed objects that are removed stays unused: whoever finds the heap wasteful writes
/// it anew.
class FractalHeapEdit {
 public:
  FractalHeapEdit(BlockEdits& blocks, Address header);

  /// Else it must be written anew: blocks go through I/O filters, or IDs tell addresses.
  [[nodiscard]] bool is_changeable() const;
  /// Less than half of the space in use is that of objects.
  [[nodiscard]] bool is_wasteful();

  /// The ID of a new object.
  std::vector<std::byte> add(std::uint64_t size);
  void remove(ByteView id);
  /// The bytes of an object that is new or changes, to be written until finish().
  std::span<std::byte> bytes(ByteView id);
  /// An object that is in the file.
  ByteView stored(ByteView id) { return stored_.object(id); }

  /// Encodes what does not depend on objects' bytes: then all blocks that change are known.
  void lay_out();
  /// When all objects are written.
  void finish();

 private:
  struct Block {
    Address address;
    std::uint64_t size;
  };
  struct LastBlock {
    std::uint64_t offset;
    Address address;
    std::uint64_t size;
    std::uint64_t used;
  };

  /// Knows the last block, from now on.
  void find_last_block();
  void set_last(std::uint64_t offset);
  void new_block(std::uint64_t needed);
  /// The offset of the next block of at least `needed` bytes, and its size.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> next_block(std::uint64_t needed) const;
  void hang_in(std::uint64_t offset, Address block);
  Address add_indirect(std::uint64_t offset, unsigned rows);
  FractalHeapIndirectBlock& indirect(Address address, std::uint64_t offset, unsigned rows);
  [[nodiscard]] std::uint64_t indirect_size(std::uint64_t children) const;
  void grow_root(unsigned row);
  /// Bytes for objects, if there were none, in the blocks that the root's rows stand for.
  [[nodiscard]] std::uint64_t capacity() const;
  std::span<std::byte> open(std::uint64_t offset, const Block& block);
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
  std::optional<LastBlock> last_;  ///< none: it is not known how far it is used, or there is none
  std::uint64_t end_ = 0;          ///< offset behind the last block
  bool knows_last_ = false;
  std::map<std::uint64_t, Block> open_;  ///< direct blocks that change, by offset
  std::map<Address, FractalHeapIndirectBlock> indirect_;
  std::optional<BTreeV2Edit> huge_tree_;
};

}  // namespace onecast::structures
