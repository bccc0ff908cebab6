#include "check/heap_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/tree_walk.hpp"
#include "format/infra/btree_v2_records.hpp"
#include "format/infra/free_space.hpp"
#include "format/infra/shared_message_list.hpp"
#include "format/infra/shared_message_table.hpp"

namespace onecast::check {
namespace {

class HeapBlocks {
 public:
  HeapBlocks(CheckContext& context, Address address, FractalHeap& heap)
      : context_(context),
        address_(address),
        heap_(heap),
        header_(heap.header()),
        table_{header_.table_width, header_.starting_block_size, header_.max_direct_block_size,
               header_.max_heap_bits},
        offset_size_(heap_id_widths(header_, context.file()).offset) {}

  /// "Amount of Allocated Managed Space in Heap" is not compared with the blocks: when objects were
  /// removed and the root block grew, HDF5 itself counts too little, and no program uses it.
  void run() {
    if (!header_.root_block.is_defined()) return;
    context_.attempt("", [&] {
      if (header_.current_root_rows == 0)
        direct({header_.root_block, header_.filtered_root_block_size, header_.filter_mask}, 0,
               table_.starting_block_size);
      else
        indirect(header_.root_block, 0, header_.current_root_rows);
    });
  }

 private:
  void direct(const FractalHeap::Stored& stored, std::uint64_t offset, std::uint64_t size) {
    const Address address = stored.address;
    constexpr const char* kTitle = FractalHeapDirectBlock::kTitle;
    FractalHeapDirectBlock block;
    block.offset_size = offset_size_;
    block.checksummed = header_.has_checksummed_blocks();
    const ByteView bytes = heap_.view(stored, size, kTitle);
    if (!context_.claim(address, kTitle)) return;
    ByteReader in(bytes, address, context_.file());
    decode_into(in, block);
    check_prefix(address, kTitle, block.heap_header, block.block_offset, offset);
    const std::size_t prefix = bytes.size() - block.object_data.size();
    if (block.checksummed && direct_block_checksum(bytes, prefix - 4) != block.checksum)
      reader_at(context_.source, address, kTitle)
          .fail("Checksum", "does not match the bytes (damaged)");
  }

  void indirect(Address address, std::uint64_t offset, unsigned rows) {
    constexpr const char* kTitle = FractalHeapIndirectBlock::kTitle;
    FractalHeapIndirectBlock block;
    block.offset_size = offset_size_;
    block.child_count = std::uint64_t{rows} * table_.width;
    if (header_.is_filtered())
      block.filtered_count = std::min(rows, table_.direct_rows()) * table_.width;
    const std::uint64_t size = FractalHeapIndirectBlock::size(
        context_.file(), offset_size_, block.child_count, block.filtered_count);
    block = read_record(context_.source, address, size, std::move(block));
    if (!context_.claim(address, kTitle)) return;
    check_prefix(address, kTitle, block.heap_header, block.block_offset, offset);
    for (std::uint64_t entry = 0; entry < block.children.size(); ++entry) {
      const Address child = block.children[static_cast<std::size_t>(entry)];
      if (!child.is_defined()) continue;
      const auto row = static_cast<unsigned>(entry / table_.width);
      const std::uint64_t child_offset = offset + table_.entry_offset(entry);
      context_.attempt("", [&] {
        // Lower blocks have fewer rows, so the recursion ends.
        FractalHeapIndirectBlock::Filtered filtered;
        if (entry < block.filtered_count)
          filtered = block.filtered[static_cast<std::size_t>(entry)];
        if (table_.is_direct(row))
          direct({child, filtered.size, filtered.filter_mask}, child_offset,
                 table_.block_size(row));
        else
          indirect(child, child_offset, table_.rows_of_indirect(table_.block_size(row)));
      });
    }
  }

  void check_prefix(Address address, const char* title, Address heap, std::uint64_t found,
                    std::uint64_t offset) {
    const ByteReader in = reader_at(context_.source, address, title);
    if (heap != address_) in.fail("Heap Header Address", "is not that of the heap");
    if (found != offset) in.fail("Block Offset", "is not where the block belongs");
  }

  CheckContext& context_;
  Address address_;
  FractalHeap& heap_;
  const FractalHeapHeader& header_;
  DoublingTable table_;
  std::uint8_t offset_size_;
};

void check_huge_objects(CheckContext& context, Address header) {
  context.attempt("", [&] {
    const BTreeV2 tree(context.source, header);
    BTreeV2Check(context, tree, [&](ByteView record, Address node) {
      // The records of all types begin with address and length.
      const auto huge = decode<HugeDirectRecord>(record, node, context.file());
      context.source.view(huge.address, huge.length, "Huge Fractal Heap Object");
    }).run();
  });
}

void check_index(CheckContext& context, const SharedMessageIndex& index) {
  if (!index.index.is_defined()) return;
  context.attempt("", [&] {
    if (index.index_type != 0) {
      const BTreeV2 tree(context.source, index.index);
      BTreeV2Check(context, tree, [](ByteView, Address) {}).run();
      return;
    }
    if (!context.claim(index.index, SharedMessageList::kTitle)) return;
    const FileContext& file = context.file();
    SharedMessageList list;
    list.records_size = index.message_count * SharedMessageList::record_size(file);
    read_record(context.source, index.index, SharedMessageList::size(file, index.message_count),
                list);
    context.source.map().reserve(index.index.value,
                                 SharedMessageList::size(file, index.list_cutoff));
  });
  if (index.heap.is_defined()) check_fractal_heap(context, index.heap);
}

}  // namespace

std::unique_ptr<FractalHeap> check_fractal_heap(CheckContext& context, Address header) {
  std::unique_ptr<FractalHeap> heap;
  context.attempt("", [&] {
    if (!context.claim(header, FractalHeapHeader::kTitle)) return;
    heap = std::make_unique<FractalHeap>(context.source, header);
  });
  if (!heap) return heap;
  HeapBlocks(context, header, *heap).run();
  if (heap->header().huge_btree.is_defined())
    check_huge_objects(context, heap->header().huge_btree);
  if (heap->header().free_space_manager.is_defined())
    check_free_space(context, heap->header().free_space_manager);
  return heap;
}

std::uint64_t check_free_space(CheckContext& context, Address address) {
  const FileContext& file = context.file();
  std::uint64_t free = 0;
  context.attempt("", [&] {
    const auto header =
        read_record<FreeSpaceHeader>(context.source, address, FreeSpaceHeader::size(file));
    if (!context.claim(address, FreeSpaceHeader::kTitle)) return;
    free = header.total_space;
    if (!header.section_list.is_defined()) return;
    const ByteReader in = reader_at(context.source, address, FreeSpaceHeader::kTitle);
    const std::uint64_t overhead = FreeSpaceSectionList::overhead(file);
    if (header.section_list_used < overhead ||
        header.section_list_used > header.section_list_allocated)
      in.fail("Size of Serialized Section List Used", "does not fit the list");
    FreeSpaceSectionList list;
    list.sections_size = header.section_list_used - overhead;
    list = read_record(context.source, header.section_list, header.section_list_used, list);
    context.source.map().reserve(header.section_list.value, header.section_list_allocated);
    if (list.header != address)
      reader_at(context.source, header.section_list, FreeSpaceSectionList::kTitle)
          .fail("Free-space Manager Header Address", "is not that of the header");
  });
  return free;
}

ByteView value_in_use(CheckContext& context, const GlobalHeapId& id) {
  const HeapCollection& collection = context.heap.collection(id.collection);
  const ByteView bytes = collection.object(id.index);
  if (context.unused_values.empty()) return bytes;
  const HeapCollection::Extent extent = collection.extent(id.index);
  const Address start = id.collection + extent.offset;
  const auto free = std::ranges::partition_point(
      context.unused_values, [&](const FreeStretch& s) { return s.address + s.size() <= start; });
  if (free != context.unused_values.end() && free->address < start + extent.size)
    context.log.add({Finding::Kind::overlap, context.path(), start.value, GlobalHeapObject::kTitle,
                     "Free Stretches",
                     fmt::format("the page list says that the {} bytes at {:#x} are free, but an "
                                 "element refers to object {} there",
                                 free->size(), free->address.value, id.index)});
  return bytes;
}

void check_unused_values(CheckContext& context) {
  for (const FreeStretch& s : context.unused_values) {
    const HeapCollection* collection = context.heap.known(Address{s.address.value - s.distance()});
    if (collection == nullptr) continue;
    const bool is_sound = collection->has_indexes_of_places() &&
                          collection->parts_at(s.distance()) &&
                          collection->parts_at(s.distance() + s.size());
    if (!is_sound)
      context.log.add({Finding::Kind::damage, "", s.address.value, GlobalHeapCollection::kTitle,
                       "Free Stretches",
                       fmt::format("the page list says that {} bytes are free, which are not whole "
                                   "objects",
                                   s.size())});
  }
}

void check_shared_messages(CheckContext& context, const SharedMessageTableMessage& message) {
  context.attempt("", [&] {
    if (!context.claim(message.table, SharedMessageTable::kTitle)) return;
    const auto table = read_record<SharedMessageTable>(
        context.source, message.table,
        SharedMessageTable::size(context.file(), message.index_count), {message.index_count, {}});
    for (const SharedMessageIndex& index : table.indexes) check_index(context, index);
  });
}

}  // namespace onecast::check
