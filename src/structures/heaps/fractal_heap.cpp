#include "structures/heaps/fractal_heap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "filters/filters.hpp"
#include "format/infra/btree_v2_records.hpp"
#include "format/infra/fractal_heap_id.hpp"
#include "format/infra/free_space.hpp"
#include "structures/filter_specs.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {
namespace {

constexpr const char* kHugeObject = "Huge Fractal Heap Object";

FractalHeapHeader read_header(MetadataSource& source, Address address) {
  ByteReader in(source.view(address, FractalHeapHeader::kPrefixSize, FractalHeapHeader::kTitle),
                address, source.file(), FractalHeapHeader::kTitle);
  FractalHeapHeader prefix;
  Decoder decoder(in);
  FractalHeapHeader::prefix(decoder, prefix);
  return read_record<FractalHeapHeader>(
      source, address, FractalHeapHeader::size(source.file(), prefix.filters_length));
}

/// A copy of a direct block with its checksum set to zero.
std::vector<std::byte> with_zeros(ByteView block, std::size_t checksum_at) {
  std::vector<std::byte> copy(block.begin(), block.end());
  std::fill_n(copy.begin() + static_cast<std::ptrdiff_t>(checksum_at), 4, std::byte{0});
  return copy;
}

}  // namespace

HeapIdWidths heap_id_widths(const FractalHeapHeader& header, const FileContext& file) {
  const unsigned payload = header.heap_id_length == 0 ? 0U : header.heap_id_length - 1U;
  const auto block_offset_size =
      static_cast<std::uint8_t>((std::bit_width(header.max_direct_block_size - 1) + 7) / 8);
  HeapIdWidths widths{};
  widths.offset = static_cast<std::uint8_t>((header.max_heap_bits + 7) / 8);
  widths.length = std::min(block_offset_size, bytes_up_to(header.max_managed_object_size));
  widths.huge_key = static_cast<std::uint8_t>(std::min(payload, 8U));
  const std::size_t filtered = header.is_filtered() ? 4U + file.size_of_lengths : 0U;
  widths.huge_is_direct =
      std::size_t{file.size_of_offsets} + file.size_of_lengths + filtered <= payload;
  widths.tiny_is_extended = payload > 17;
  return widths;
}

std::uint32_t direct_block_checksum(ByteView block, std::size_t checksum_at) {
  return lookup3(with_zeros(block, checksum_at));
}

FractalHeap::FractalHeap(MetadataSource& source, Address header)
    : source_(&source), address_(header), header_(read_header(source, header)) {
  table_ = {header_.table_width, header_.starting_block_size, header_.max_direct_block_size,
            header_.max_heap_bits};
  const ByteReader in = reader_at(source, header, FractalHeapHeader::kTitle);
  if (!table_.is_valid())
    in.fail("Table Width", "does not fit block sizes and heap size, or they are no powers of two");
  if (header_.current_root_rows > table_.max_root_rows())
    in.fail("Current # of Rows in Root Indirect Block",
            "is more than the maximum heap size allows");
  widths_ = heap_id_widths(header_, source.file());
  if (header_.heap_id_length < 1U + widths_.offset + widths_.length)
    in.fail("Heap ID Length", "is too small for managed objects");
  if (header_.is_filtered()) filters_ = filter_specs(header_.filters, header, source.file());
}

ByteView FractalHeap::object(ByteView heap_id) {
  // An ID has no address of its own, so errors name that of the heap.
  const ByteReader in(heap_id, address_, source_->file());
  if (heap_id.size() != header_.heap_id_length)
    reader_at(*source_, address_, FractalHeapHeader::kTitle)
        .fail("Heap ID Length", "is not that of the IDs that refer to the heap");
  ByteReader flags = in;
  switch (decode<FractalHeapIdFlags>(flags).kind) {
    case FractalHeapIdKind::managed:
      return managed(in);
    case FractalHeapIdKind::huge:
      return huge(in);
    case FractalHeapIdKind::tiny:
      break;
  }
  ByteReader id = in;
  TinyHeapId tiny{widths_.tiny_is_extended, {}};
  decode_into(id, tiny);
  return tiny.data;
}

ByteView FractalHeap::managed(ByteReader in) {
  ManagedHeapId id{widths_.offset, widths_.length};
  decode_into(in, id);
  const DirectBlock& block = direct_block(id.offset);
  const std::uint64_t start = id.offset - block.offset;
  if (start < block.prefix || id.length > block.bytes.size() - start)
    reader_at(*source_, block.address, ManagedHeapId::kTitle)
        .fail("Offset", "the object is not inside the direct block");
  return block.bytes.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(id.length));
}

ByteView FractalHeap::huge(ByteReader in) {
  if (widths_.huge_is_direct && header_.is_filtered()) {
    const auto id = decode<HugeDirectFilteredHeapId>(in);
    return view({id.address, id.length, id.filter_mask}, id.memory_size, kHugeObject);
  }
  if (widths_.huge_is_direct) {
    const auto id = decode<HugeDirectHeapId>(in);
    return source_->view(id.address, id.length, kHugeObject);
  }
  HugeIndirectHeapId id{widths_.huge_key};
  decode_into(in, id);
  if (!header_.is_filtered()) {
    const auto record = huge_record<HugeIndirectRecord>(id.key);
    return source_->view(record.address, record.length, kHugeObject);
  }
  const auto record = huge_record<HugeIndirectFilteredRecord>(id.key);
  return view({record.address, record.length, record.filter_mask}, record.memory_size, kHugeObject);
}

BTreeV2& FractalHeap::huge_tree() {
  const FileContext& file = source_->file();
  if (!huge_tree_ && header_.is_filtered())
    huge_tree_.emplace(*source_, header_.huge_btree, HugeIndirectFilteredRecord::kType,
                       encoded_size(file, HugeIndirectFilteredRecord{}));
  if (!huge_tree_)
    huge_tree_.emplace(*source_, header_.huge_btree, HugeIndirectRecord::kType,
                       encoded_size(file, HugeIndirectRecord{}));
  return *huge_tree_;
}

template <class Record>
Record FractalHeap::huge_record(std::uint64_t key) {
  const FileContext& file = source_->file();
  const BTreeV2& tree = huge_tree();
  const auto decode_at = [&](ByteView bytes) {
    return decode<Record>(bytes, tree.address(), file);
  };
  const auto found = tree.find([&](ByteView bytes) {
    const std::uint64_t id = decode_at(bytes).id;
    return id < key ? -1 : static_cast<int>(id > key);
  });
  if (!found)
    reader_at(*source_, header_.huge_btree, HugeIndirectHeapId::kTitle)
        .fail("v2 B-tree Key", "is not in the B-tree");
  return decode_at(*found);
}

ByteView FractalHeap::view(const Stored& stored, std::uint64_t size, const char* title) {
  if (!header_.is_filtered()) return source_->view(stored.address, size, title);
  const ByteView bytes = source_->view(stored.address, stored.size, title);
  std::vector<std::byte> work(bytes.begin(), bytes.end());
  decode_chunk(
      filters_, stored.filter_mask, work, static_cast<std::size_t>(size),
      fmt::format("{}: address {:#x}: {}", source_->file().name, stored.address.value, title));
  return source_->keep_decoded(std::move(work), stored.address, title);
}

const FractalHeap::DirectBlock& FractalHeap::direct_block(std::uint64_t heap_offset) {
  const ByteReader in = reader_at(*source_, address_, ManagedHeapId::kTitle);
  Address address = header_.root_block;
  if (!address.is_defined()) in.fail("Offset", "the heap has no blocks");
  if (header_.current_root_rows == 0) {
    if (heap_offset >= table_.starting_block_size) in.fail("Offset", "lies behind the root block");
    return load_direct({address, header_.filtered_root_block_size, header_.filter_mask}, 0,
                       table_.starting_block_size);
  }
  std::uint64_t block_offset = 0;
  unsigned rows = header_.current_root_rows;
  // Each step goes to a block with fewer rows.
  for (;;) {
    if (heap_offset - block_offset >= table_.row_offset(rows))
      in.fail("Offset", "lies behind the last block");
    const FractalHeapIndirectBlock& block = indirect_block(address, block_offset, rows);
    const std::uint64_t entry = table_.entry_at(heap_offset - block_offset);
    const auto row = static_cast<unsigned>(entry / table_.width);
    address = block.children[static_cast<std::size_t>(entry)];
    if (!address.is_defined()) in.fail("Offset", "lies in a block that does not exist");
    block_offset += table_.entry_offset(entry);
    if (table_.is_direct(row)) {
      FractalHeapIndirectBlock::Filtered filtered;
      if (header_.is_filtered()) filtered = block.filtered[static_cast<std::size_t>(entry)];
      return load_direct({address, filtered.size, filtered.filter_mask}, block_offset,
                         table_.block_size(row));
    }
    rows = table_.rows_of_indirect(table_.block_size(row));
  }
}

const FractalHeap::DirectBlock& FractalHeap::load_direct(const Stored& stored,
                                                         std::uint64_t block_offset,
                                                         std::uint64_t size) {
  const Address address = stored.address;
  const auto known = direct_blocks_.find(address);
  if (known != direct_blocks_.end() && known->second.offset == block_offset) return known->second;

  FractalHeapDirectBlock block;
  block.offset_size = widths_.offset;
  block.checksummed = header_.has_checksummed_blocks();
  visited_.add(address, header_.is_filtered() ? stored.size : size, source_->file(),
               FractalHeapDirectBlock::kTitle);
  const ByteView bytes = view(stored, size, FractalHeapDirectBlock::kTitle);
  ByteReader in(bytes, address, source_->file());
  decode_into(in, block);
  check_prefix(address, FractalHeapDirectBlock::kTitle, block.heap_header, block.block_offset,
               block_offset);
  const std::size_t prefix = bytes.size() - block.object_data.size();
  if (block.checksummed && !checksum_matches(with_zeros(bytes, prefix - 4), block.checksum))
    reader_at(*source_, address, FractalHeapDirectBlock::kTitle)
        .fail("Checksum", "does not match the bytes (damaged)");
  return direct_blocks_.emplace(address, DirectBlock{address, block_offset, bytes, prefix})
      .first->second;
}

const FractalHeapIndirectBlock& FractalHeap::indirect_block(Address address,
                                                            std::uint64_t block_offset,
                                                            unsigned rows) {
  const auto known = indirect_blocks_.find(address);
  if (known != indirect_blocks_.end() && known->second.block_offset == block_offset &&
      known->second.child_count == rows * table_.width)
    return known->second;

  FractalHeapIndirectBlock block;
  block.offset_size = widths_.offset;
  block.child_count = rows * table_.width;
  if (header_.is_filtered())
    block.filtered_count = std::min(rows, table_.direct_rows()) * table_.width;
  const std::uint64_t size = FractalHeapIndirectBlock::size(
      source_->file(), block.offset_size, block.child_count, block.filtered_count);
  block = read_record(*source_, address, size, std::move(block));
  visited_.add(address, size, source_->file(), FractalHeapIndirectBlock::kTitle);
  check_prefix(address, FractalHeapIndirectBlock::kTitle, block.heap_header, block.block_offset,
               block_offset);
  return indirect_blocks_.emplace(address, std::move(block)).first->second;
}

void FractalHeap::check_prefix(Address address, const char* title, Address heap,
                               std::uint64_t found_offset, std::uint64_t block_offset) const {
  const ByteReader in = reader_at(*source_, address, title);
  if (heap != address_) in.fail("Heap Header Address", "is not that of the heap");
  if (found_offset != block_offset) in.fail("Block Offset", "is not where the block belongs");
}

void FractalHeap::for_each_block(const std::function<void(Address, std::uint64_t)>& each) {
  const FileContext& file = source_->file();
  each(address_, FractalHeapHeader::size(file, header_.filters_length));
  if (const Address manager = header_.free_space_manager; manager.is_defined()) {
    const auto size = FreeSpaceHeader::size(file);
    const auto header = read_record<FreeSpaceHeader>(*source_, manager, size);
    each(manager, size);
    if (header.section_list.is_defined()) each(header.section_list, header.section_list_allocated);
  }
  if (header_.root_block.is_defined()) for_each_managed_block(each);
  // The heap's tree has records of directly accessed huge objects, too, but of another type.
  if (header_.huge_btree.is_defined() && !widths_.huge_is_direct) for_each_huge_block(each);
}

void FractalHeap::for_each_managed_block(const std::function<void(Address, std::uint64_t)>& each) {
  const auto stored_size = [&](std::uint64_t filtered, std::uint64_t size) {
    return header_.is_filtered() ? filtered : size;
  };
  if (header_.current_root_rows == 0)
    return each(header_.root_block,
                stored_size(header_.filtered_root_block_size, table_.starting_block_size));
  struct Indirect {
    Address address;
    std::uint64_t offset;
    unsigned rows;
  };
  std::vector<Indirect> left{{header_.root_block, 0, header_.current_root_rows}};
  while (!left.empty()) {
    const Indirect at = left.back();
    left.pop_back();
    const FractalHeapIndirectBlock& block = indirect_block(at.address, at.offset, at.rows);
    each(at.address, FractalHeapIndirectBlock::size(source_->file(), block.offset_size,
                                                    block.child_count, block.filtered_count));
    for (std::uint64_t entry = 0; entry < block.children.size(); ++entry) {
      const auto i = static_cast<std::size_t>(entry);
      if (!block.children[i].is_defined()) continue;
      const std::uint64_t size = table_.block_size(static_cast<unsigned>(entry / table_.width));
      if (table_.is_direct(static_cast<unsigned>(entry / table_.width)))
        each(block.children[i],
             stored_size(header_.is_filtered() ? block.filtered[i].size : 0, size));
      else
        left.push_back({block.children[i], at.offset + table_.entry_offset(entry),
                        table_.rows_of_indirect(size)});
    }
  }
}

void FractalHeap::for_each_huge_block(const std::function<void(Address, std::uint64_t)>& each) {
  const FileContext& file = source_->file();
  const BTreeV2& tree = huge_tree();
  each(tree.address(), BTreeV2Header::size(file));
  tree.for_each_node(each);
  tree.for_each([&](ByteView bytes) {
    if (header_.is_filtered()) {
      const auto record = decode<HugeIndirectFilteredRecord>(bytes, tree.address(), file);
      each(record.address, record.length);
    } else {
      const auto record = decode<HugeIndirectRecord>(bytes, tree.address(), file);
      each(record.address, record.length);
    }
  });
}

}  // namespace onecast::structures
