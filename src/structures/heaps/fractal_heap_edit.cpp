#include "structures/heaps/fractal_heap_edit.hpp"

#include <algorithm>
#include <limits>

#include "base/lookup3.hpp"
#include "format/infra/fractal_heap_id.hpp"
#include "format/infra/free_space.hpp"
#include "structures/heaps/heap_block_end.hpp"
#include "structures/heaps/heap_space.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {
namespace {

FractalHeapDirectBlock direct_block_of(const FractalHeapHeader& header, std::uint8_t offset_size) {
  FractalHeapDirectBlock block;
  block.offset_size = offset_size;
  block.checksummed = header.has_checksummed_blocks();
  return block;
}

std::uint16_t huge_record_size(const FileContext& file) {
  return static_cast<std::uint16_t>(encoded_size(file, HugeIndirectRecord{}));
}

}  // namespace

FractalHeapEdit::FractalHeapEdit(BlockEdits& blocks, Address header)
    : blocks_(blocks),
      address_(header),
      stored_(blocks.stored(), header),
      header_(stored_.header()),
      table_(stored_.table()),
      widths_(heap_id_widths(header_, blocks.file())),
      prefix_(encoded_size(blocks.file(), direct_block_of(header_, widths_.offset))) {}

bool FractalHeapEdit::is_changeable() const {
  return !header_.is_filtered() && !widths_.huge_is_direct &&
         table_.starting_block_size > prefix_ &&
         header_.max_managed_object_size <= table_.max_direct_block_size - prefix_;
}

std::uint64_t FractalHeapEdit::capacity() const {
  if (!header_.root_block.is_defined()) return 0;
  return header_.current_root_rows == 0 ? table_.starting_block_size - prefix_
                                        : free_of_rows(table_, prefix_, header_.current_root_rows);
}

bool FractalHeapEdit::is_wasteful() {
  constexpr std::uint64_t kSlack = 2048;  // small blocks hold few large objects
  find_last_block();
  const std::uint64_t rest = last_ ? last_->size - last_->used : 0;
  // The HDF5 library counts too little after objects were removed.
  const std::uint64_t in_use =
      header_.allocated_managed_space - std::min(header_.allocated_managed_space, rest);
  const std::uint64_t live = capacity() - std::min(capacity(), header_.free_space);
  return in_use > 2 * live + kSlack;
}

/// Finds the block with the highest offset. Only blocks that Onecast wrote tell how full they are.
void FractalHeapEdit::find_last_block() {
  if (std::exchange(knows_last_, true) || !header_.root_block.is_defined()) return;
  if (header_.current_root_rows == 0) return set_last(0);
  Address address = header_.root_block;
  std::uint64_t offset = 0;
  for (unsigned rows = header_.current_root_rows;;) {
    const auto& children = stored_.indirect_block(address, offset, rows).children;
    std::uint64_t entry = children.size();
    while (entry > 0 && !children[static_cast<std::size_t>(entry - 1)].is_defined()) --entry;
    end_ = offset;
    if (entry == 0) return;
    --entry;
    offset += table_.entry_offset(entry);
    const auto row = static_cast<unsigned>(entry / table_.width);
    if (table_.is_direct(row)) return set_last(offset);
    address = children[static_cast<std::size_t>(entry)];
    rows = table_.rows_of_indirect(table_.block_size(row));
  }
}

void FractalHeapEdit::set_last(std::uint64_t offset) {
  const FractalHeap::DirectBlock& block = stored_.direct_block(offset);
  end_ = offset + block.bytes.size();
  const auto used = HeapBlockEnd(address_, offset).read(block.bytes);
  if (used && *used >= prefix_) last_ = {offset, block.address, block.bytes.size(), *used};
}

std::span<std::byte> FractalHeapEdit::open(std::uint64_t offset, const FileRange& block) {
  const std::span<std::byte> bytes =
      blocks_.open(block.address, block.size, FractalHeapDirectBlock::kTitle);
  if (open_.emplace(offset, block).second)
    blocks_.touch(block.address, prefix_);  // the prefix has the checksum
  return bytes;
}

std::vector<std::byte> FractalHeapEdit::add(std::uint64_t size) {
  if (header_.free_space_manager.is_defined()) drop_free_space_manager();
  std::vector<std::byte> id(header_.heap_id_length);
  ByteWriter out(id);
  if (size > header_.max_managed_object_size) {
    const std::uint64_t key = add_huge(size);
    encode(out, blocks_.file(), HugeIndirectHeapId{widths_.huge_key, key});
  } else {
    find_last_block();
    if (!last_ || last_->size - last_->used < size) new_block(prefix_ + size);
    const std::span<std::byte> bytes = open(last_->offset, {last_->address, last_->size});
    encode(out, blocks_.file(),
           ManagedHeapId{widths_.offset, widths_.length, last_->offset + last_->used, size});
    blocks_.touch(last_->address + last_->used, size);
    last_->used += size;
    HeapBlockEnd(address_, last_->offset).write(bytes, last_->used);
    const std::uint64_t note = std::min(last_->size - last_->used, HeapBlockEnd::kSize);
    blocks_.touch(last_->address + (last_->size - note), note);
    ++header_.managed_object_count;
    header_.free_space -= std::min(header_.free_space, size);
  }
  out.zeros(out.remaining());
  return id;
}

void FractalHeapEdit::remove(ByteView id) {
  if (header_.free_space_manager.is_defined()) drop_free_space_manager();
  const ByteReader in(id, address_, blocks_.file());
  ByteReader at = in;
  switch (decode<FractalHeapIdFlags>(at).kind) {
    case FractalHeapIdKind::managed: {
      ManagedHeapId managed{widths_.offset, widths_.length};
      at = in;
      decode_into(at, managed);
      header_.free_space += managed.length;
      --header_.managed_object_count;
      return;
    }
    case FractalHeapIdKind::huge: {
      HugeIndirectHeapId huge{widths_.huge_key};
      at = in;
      decode_into(at, huge);
      return remove_huge(huge.key);
    }
    case FractalHeapIdKind::tiny: {
      TinyHeapId tiny{widths_.tiny_is_extended, {}};
      at = in;
      decode_into(at, tiny);
      header_.tiny_object_size -= tiny.data.size();
      --header_.tiny_object_count;
      return;
    }
  }
}

std::span<std::byte> FractalHeapEdit::bytes(ByteView id) {
  const ByteReader in(id, address_, blocks_.file());
  ByteReader at = in;
  const FractalHeapIdKind kind = decode<FractalHeapIdFlags>(at).kind;
  at = in;
  if (kind == FractalHeapIdKind::huge) {
    HugeIndirectHeapId huge{widths_.huge_key};
    decode_into(at, huge);
    const HugeIndirectRecord record = huge_record(huge.key);
    return blocks_.change(record.address, record.length, "Huge Fractal Heap Object");
  }
  if (kind != FractalHeapIdKind::managed) in.refuse("Version and Type", "changing a tiny object");
  ManagedHeapId managed{widths_.offset, widths_.length};
  decode_into(at, managed);
  auto block = open_.upper_bound(managed.offset);
  const bool has_before = block != open_.begin();
  if (has_before) --block;
  const bool is_open = has_before && block->first + block->second.size > managed.offset;
  if (!is_open) {
    const FractalHeap::DirectBlock& found = stored_.direct_block(managed.offset);
    open(found.offset, {found.address, found.bytes.size()});
    block = open_.find(found.offset);
  }
  const auto& [offset, place] = *block;
  const std::uint64_t start = managed.offset - offset;
  if (start < prefix_ || managed.length > place.size - start)
    reader_at(blocks_, place.address, ManagedHeapId::kTitle)
        .fail("Offset", "the object is not inside the direct block");
  blocks_.touch(place.address + start, managed.length);
  return open(offset, place)
      .subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(managed.length));
}

std::pair<std::uint64_t, std::uint64_t> FractalHeapEdit::next_block(std::uint64_t needed) const {
  // Goes down from the root, from `at` on; each step reaches a block with fewer rows, or advances
  // `at`.
  std::uint64_t at = end_;
  for (;;) {
    std::uint64_t base = 0;
    for (unsigned rows = table_.max_root_rows();;) {
      if (at - base >= table_.row_offset(rows))
        reader_at(blocks_, address_, FractalHeapHeader::kTitle)
            .refuse("Maximum Heap Size", "more objects than the heap holds");
      const std::uint64_t entry = table_.entry_at(at - base);
      const auto row = static_cast<unsigned>(entry / table_.width);
      if (table_.is_direct(row)) {
        if (table_.block_size(row) >= needed)
          return {base + table_.entry_offset(entry), table_.block_size(row)};
        at = base + table_.row_offset(row + 1);
        break;
      }
      rows = table_.rows_of_indirect(table_.block_size(row));
      if (largest_direct_block(table_, rows) < needed) {
        at = base + table_.entry_offset(entry + 1);
        break;
      }
      base += table_.entry_offset(entry);
    }
  }
}

void FractalHeapEdit::new_block(std::uint64_t needed) {
  const auto [offset, size] = next_block(needed);
  const Address address = blocks_.add(size);
  open_.emplace(offset, FileRange{address, size});
  FractalHeapDirectBlock block = direct_block_of(header_, widths_.offset);
  block.heap_header = address_;
  block.block_offset = offset;
  ByteWriter out(blocks_.open(address, size, FractalHeapDirectBlock::kTitle)
                     .first(static_cast<std::size_t>(prefix_)));
  encode(out, blocks_.file(), block);
  const std::uint64_t before = capacity();
  hang_in(offset, address);
  header_.free_space += capacity() - before;
  header_.allocated_managed_space += size;
  const bool is_root = header_.current_root_rows == 0;
  header_.managed_space =
      is_root ? table_.starting_block_size : table_.row_offset(header_.current_root_rows);
  // The iterator starts with the root indirect block.
  header_.iterator_offset = is_root ? 0 : offset + size;
  end_ = offset + size;
  last_ = {offset, address, size, prefix_};
}

std::uint64_t FractalHeapEdit::indirect_size(std::uint64_t children) const {
  return FractalHeapIndirectBlock::size(blocks_.file(), widths_.offset, children);
}

Address FractalHeapEdit::add_indirect(std::uint64_t offset, unsigned rows) {
  const Address address = blocks_.add(indirect_size(rows * table_.width));
  FractalHeapIndirectBlock& block = indirect_[address];
  block.offset_size = widths_.offset;
  block.heap_header = address_;
  block.block_offset = offset;
  block.children.resize(static_cast<std::size_t>(rows * table_.width));
  return address;
}

FractalHeapIndirectBlock& FractalHeapEdit::indirect(Address address, std::uint64_t offset,
                                                    unsigned rows) {
  const auto known = indirect_.find(address);
  if (known != indirect_.end()) return known->second;
  return indirect_.emplace(address, stored_.indirect_block(address, offset, rows)).first->second;
}

/// Grows the root to include this row.
void FractalHeapEdit::grow_root(unsigned row) {
  const unsigned before = header_.current_root_rows;
  if (row < before) return;
  const unsigned rows = root_rows_for(table_, row);
  const Address root = add_indirect(0, rows);
  auto& children = indirect_[root].children;
  if (before == 0) {
    children.front() = header_.root_block;
  } else {
    const Address old = header_.root_block;
    const auto& there = indirect(old, 0, before).children;
    std::copy(there.begin(), there.end(), children.begin());
    indirect_.erase(old);
    blocks_.release(old, indirect_size(before * table_.width));
  }
  header_.root_block = root;
  header_.current_root_rows = static_cast<std::uint16_t>(rows);
}

void FractalHeapEdit::hang_in(std::uint64_t offset, Address block) {
  if (offset == 0 && !header_.root_block.is_defined()) {
    header_.root_block = block;
    return;
  }
  grow_root(table_.row_at(offset));
  Address address = header_.root_block;
  std::uint64_t base = 0;
  for (unsigned rows = header_.current_root_rows;;) {
    FractalHeapIndirectBlock& table = indirect(address, base, rows);
    const std::uint64_t entry = table_.entry_at(offset - base);
    const auto row = static_cast<unsigned>(entry / table_.width);
    Address& child = table.children[static_cast<std::size_t>(entry)];
    if (table_.is_direct(row)) {
      child = block;
      return;
    }
    base += table_.entry_offset(entry);
    rows = table_.rows_of_indirect(table_.block_size(row));
    if (!child.is_defined()) child = add_indirect(base, rows);
    address = child;
  }
}

/// Afterwards only the free space after the last object is known.
void FractalHeapEdit::drop_free_space_manager() {
  const FileContext& file = blocks_.file();
  const Address address = std::exchange(header_.free_space_manager, Address());
  const auto manager =
      read_record<FreeSpaceHeader>(blocks_.stored(), address, FreeSpaceHeader::size(file));
  blocks_.release(address, FreeSpaceHeader::size(file));
  if (manager.section_list.is_defined())
    blocks_.release(manager.section_list, manager.section_list_allocated);
}

BTreeV2Edit& FractalHeapEdit::huge_tree() {
  const std::uint16_t size = huge_record_size(blocks_.file());
  if (!huge_tree_ && header_.huge_btree.is_defined())
    huge_tree_.emplace(blocks_, header_.huge_btree, HugeIndirectRecord::kType, size);
  if (!huge_tree_) {
    huge_tree_.emplace(blocks_, HugeIndirectRecord::kType, size);
    header_.huge_btree = huge_tree_->address();
  }
  return *huge_tree_;
}

BTreeV2Edit::Compare FractalHeapEdit::key_order(std::uint64_t key) const {
  return [this, key](ByteView bytes) {
    const std::uint64_t id = decode<HugeIndirectRecord>(bytes, address_, blocks_.file()).id;
    return id < key ? -1 : static_cast<int>(id > key);
  };
}

HugeIndirectRecord FractalHeapEdit::huge_record(std::uint64_t key) {
  const bool has_tree = huge_tree_ || header_.huge_btree.is_defined();
  const auto found = has_tree ? huge_tree().find(key_order(key)) : std::nullopt;
  if (!found)
    reader_at(blocks_, header_.huge_btree, HugeIndirectHeapId::kTitle)
        .fail("v2 B-tree Key", "is not in the B-tree");
  return decode<HugeIndirectRecord>(*found, address_, blocks_.file());
}

std::uint64_t FractalHeapEdit::add_huge(std::uint64_t size) {
  const unsigned bits = 8U * widths_.huge_key;
  const std::uint64_t last_key = std::numeric_limits<std::uint64_t>::max() >> (64 - bits);
  const ByteReader in = reader_at(blocks_, address_, FractalHeapHeader::kTitle);
  if ((header_.flags & FractalHeapHeader::kHugeIdsWrapped) != 0 ||
      header_.next_huge_id >= last_key || !huge_tree().is_changeable())
    in.refuse("Next Huge Object ID", "more huge objects than the heap can name");
  HugeIndirectRecord record;
  record.id = ++header_.next_huge_id;
  record.length = size;
  record.address = blocks_.add(size);
  std::vector<std::byte> bytes(huge_record_size(blocks_.file()));
  ByteWriter out(bytes);
  encode(out, blocks_.file(), record);
  huge_tree().insert(bytes, key_order(record.id));
  header_.huge_object_size += size;
  ++header_.huge_object_count;
  return record.id;
}

void FractalHeapEdit::remove_huge(std::uint64_t key) {
  const HugeIndirectRecord record = huge_record(key);
  if (!huge_tree().is_changeable())
    reader_at(blocks_, header_.huge_btree, BTreeV2Header::kTitle)
        .refuse("Node Size", "nodes of so few records");
  huge_tree().remove(key_order(key));
  blocks_.release(record.address, record.length);
  header_.huge_object_size -= record.length;
  --header_.huge_object_count;
  if (huge_tree().record_count() != 0) return;
  huge_tree_->release();
  huge_tree_.reset();
  header_.huge_btree = Address();
  header_.next_huge_id = 0;
}

void FractalHeapEdit::lay_out() {
  if (huge_tree_) huge_tree_->finish();
  for (const auto& [address, block] : indirect_) {
    ByteWriter out(blocks_.change(address, indirect_size(block.children.size()),
                                  FractalHeapIndirectBlock::kTitle));
    encode(out, blocks_.file(), block);
  }
  ByteWriter out(blocks_.change(address_, FractalHeapHeader::size(blocks_.file(), 0),
                                FractalHeapHeader::kTitle));
  encode(out, blocks_.file(), header_);
}

void FractalHeapEdit::finish() {
  if (!header_.has_checksummed_blocks()) return;
  for (const auto& [offset, place] : open_) {
    const std::span<std::byte> block =
        blocks_.open(place.address, place.size, FractalHeapDirectBlock::kTitle);
    const auto field =
        block.subspan(static_cast<std::size_t>(prefix_) - kChecksumSize, kChecksumSize);
    ByteWriter(field).zeros(kChecksumSize);
    const std::uint32_t checksum = lookup3(block);
    ByteWriter(field).uint(checksum, kChecksumSize);
  }
}

}  // namespace onecast::structures
