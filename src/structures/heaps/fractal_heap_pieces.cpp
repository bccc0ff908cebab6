#include "structures/heaps/fractal_heap_pieces.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/lookup3.hpp"
#include "format/infra/btree_v2_records.hpp"
#include "format/infra/fractal_heap_id.hpp"
#include "structures/heaps/heap_block_end.hpp"

namespace onecast::structures {
namespace {

FractalHeapHeader header_of(const HeapParameters& parameters) {
  FractalHeapHeader header;
  header.heap_id_length = parameters.heap_id_length;
  header.flags =
      parameters.checksummed_blocks ? FractalHeapHeader::kChecksummedBlocks : std::uint8_t{0};
  header.max_managed_object_size = parameters.max_managed_object_size;
  header.table_width = static_cast<std::uint16_t>(parameters.table.width);
  header.starting_block_size = parameters.table.starting_block_size;
  header.max_direct_block_size = parameters.table.max_direct_block_size;
  header.max_heap_bits = static_cast<std::uint16_t>(parameters.table.max_heap_bits);
  header.starting_root_rows = 1;
  return header;
}

FractalHeapDirectBlock direct_block_of(const HeapParameters& parameters) {
  FractalHeapDirectBlock block;
  block.offset_size = parameters.table.offset_size();
  block.checksummed = parameters.checksummed_blocks;
  return block;
}

}  // namespace

FractalHeapPieces::FractalHeapPieces(const HeapParameters& parameters,
                                     std::vector<std::uint64_t> object_sizes,
                                     const FileContext& file, WriteObject write_object)
    : parameters_(parameters),
      object_sizes_(std::move(object_sizes)),
      write_object_(std::move(write_object)),
      widths_(heap_id_widths(header_of(parameters), file)),
      block_prefix_(encoded_size(file, direct_block_of(parameters))),
      space_(parameters.table, block_prefix_),
      header_size_(FractalHeapHeader::size(file, 0)),
      size_of_offsets_(file.size_of_offsets) {
  if (parameters.heap_id_length < 1U + widths_.offset + widths_.length || widths_.huge_is_direct)
    throw std::logic_error("FractalHeapPieces: heap IDs of this length cannot be written");
  lay_out_objects();
  indirect_ = space_.indirect_blocks();
  if (!huge_objects_.empty()) {
    const auto record_size = static_cast<std::uint16_t>(encoded_size(file, HugeIndirectRecord{}));
    huge_tree_.emplace(BTreeV2Plan{HugeIndirectRecord::kType, record_size, huge_objects_.size()},
                       file);
  }
  first_direct_ = first_indirect_ + indirect_.size();
  first_huge_ = first_direct_ + space_.direct_blocks().size();
  first_tree_ = first_huge_ + huge_objects_.size();
}

void FractalHeapPieces::lay_out_objects() {
  object_places_.reserve(object_sizes_.size());
  for (std::size_t i = 0; i < object_sizes_.size(); ++i) {
    if (object_sizes_[i] == 0) throw std::logic_error("FractalHeapPieces: an object of no bytes");
    if (is_huge(i)) {
      huge_objects_.push_back(i);
      object_places_.push_back(huge_objects_.size());  // keys count from 1
      continue;
    }
    object_places_.push_back(space_.allocate(object_sizes_[i]));
    if (space_.direct_blocks().size() > first_object_.size()) first_object_.push_back(i);
  }
  first_object_.push_back(object_sizes_.size());
}

std::size_t FractalHeapPieces::count() const {
  return first_tree_ + (huge_tree_ ? huge_tree_->count() : 0);
}

std::uint64_t FractalHeapPieces::size(std::size_t piece) const {
  if (piece == 0) return header_size_;
  if (piece < first_direct_) {
    const HeapSpace::IndirectBlock& block = indirect_[piece - first_indirect_];
    return FractalHeapIndirectBlock::size({{}, size_of_offsets_, 8}, widths_.offset,
                                          block.rows * parameters_.table.width);
  }
  if (piece < first_huge_) return space_.direct_blocks()[piece - first_direct_].size;
  if (piece < first_tree_) return object_sizes_[huge_objects_[piece - first_huge_]];
  return huge_tree_->size(piece - first_tree_);
}

void FractalHeapPieces::encode(std::size_t piece, std::span<std::byte> out,
                               std::span<const Address> addresses, const FileContext& file) const {
  ByteWriter writer(out);
  if (piece == 0)
    encode_header(writer, addresses, file);
  else if (piece < first_direct_)
    encode_indirect(piece - first_indirect_, writer, addresses, file);
  else if (piece < first_huge_)
    encode_direct(piece - first_direct_, out, addresses, file);
  else if (piece < first_tree_)
    write_object_(huge_objects_[piece - first_huge_], out);
  else
    encode_huge_tree(piece - first_tree_, out, addresses, file);
}

void FractalHeapPieces::encode_header(ByteWriter& out, std::span<const Address> addresses,
                                      const FileContext& file) const {
  FractalHeapHeader header = header_of(parameters_);
  header.free_space = space_.free_space();
  header.managed_space = space_.managed_space();
  header.allocated_managed_space = space_.allocated_space();
  header.iterator_offset = space_.iterator_offset();
  header.managed_object_count = object_sizes_.size() - huge_objects_.size();
  header.current_root_rows = static_cast<std::uint16_t>(space_.root_rows());
  // The root is the first indirect block, or the only direct block if there is no indirect one.
  if (header.managed_object_count != 0) header.root_block = addresses[first_indirect_];
  if (huge_tree_) {
    header.huge_btree = addresses[first_tree_];
    header.next_huge_id = huge_objects_.size();
    header.huge_object_count = huge_objects_.size();
    for (const std::size_t object : huge_objects_) header.huge_object_size += object_sizes_[object];
  }
  format::encode(out, file, header);
}

void FractalHeapPieces::encode_indirect(std::size_t index, ByteWriter& out,
                                        std::span<const Address> addresses,
                                        const FileContext& file) const {
  const HeapSpace::IndirectBlock& planned = indirect_[index];
  FractalHeapIndirectBlock block;
  block.offset_size = widths_.offset;
  block.heap_header = addresses[0];
  block.block_offset = planned.offset;
  block.children.resize(static_cast<std::size_t>(planned.rows * parameters_.table.width));
  for (const auto& [entry, child] : planned.direct)
    block.children[static_cast<std::size_t>(entry)] = addresses[first_direct_ + child];
  for (const auto& [entry, child] : planned.indirect)
    block.children[static_cast<std::size_t>(entry)] = addresses[first_indirect_ + child];
  format::encode(out, file, block);
}

void FractalHeapPieces::encode_direct(std::size_t index, std::span<std::byte> out,
                                      std::span<const Address> addresses,
                                      const FileContext& file) const {
  const HeapSpace::DirectBlock& planned = space_.direct_blocks()[index];
  FractalHeapDirectBlock block = direct_block_of(parameters_);
  block.heap_header = addresses[0];
  block.block_offset = planned.offset;
  ByteWriter writer(out.first(static_cast<std::size_t>(block_prefix_)));
  format::encode(writer, file, block);
  for (std::size_t object = first_object_[index]; object < first_object_[index + 1]; ++object) {
    if (is_huge(object)) continue;
    write_object_(object,
                  out.subspan(static_cast<std::size_t>(object_places_[object] - planned.offset),
                              static_cast<std::size_t>(object_sizes_[object])));
  }
  const auto unused = out.subspan(static_cast<std::size_t>(planned.used));
  std::fill(unused.begin(), unused.end(), std::byte{0});
  HeapBlockEnd(addresses[0], planned.offset).write(out, planned.used);
  if (!block.checksummed) return;
  const auto checksum_at = static_cast<std::size_t>(block_prefix_ - kChecksumSize);
  ByteWriter(out.subspan(checksum_at, kChecksumSize))
      .uint(direct_block_checksum(out, checksum_at), kChecksumSize);
}

void FractalHeapPieces::encode_huge_tree(std::size_t part, std::span<std::byte> out,
                                         std::span<const Address> addresses,
                                         const FileContext& file) const {
  huge_tree_->encode(part, out, addresses.subspan(first_tree_), file,
                     [&](std::uint64_t index, std::span<std::byte> record) {
                       const auto i = static_cast<std::size_t>(index);
                       const std::uint64_t size = object_sizes_[huge_objects_[i]];
                       ByteWriter writer(record);
                       format::encode(
                           writer, file,
                           HugeIndirectRecord{addresses[first_huge_ + i], size, index + 1});
                     });
}

void FractalHeapPieces::write_heap_id(std::size_t object, std::span<std::byte> out,
                                      const FileContext& file) const {
  ByteWriter writer(out);
  if (is_huge(object))
    format::encode(writer, file, HugeIndirectHeapId{widths_.huge_key, object_places_[object]});
  else
    format::encode(writer, file,
                   ManagedHeapId{widths_.offset, widths_.length, object_places_[object],
                                 object_sizes_[object]});
  writer.zeros(writer.remaining());
}

std::vector<std::byte> FractalHeapPieces::heap_id(std::size_t object,
                                                  const FileContext& file) const {
  std::vector<std::byte> id(parameters_.heap_id_length);
  write_heap_id(object, id, file);
  return id;
}

}  // namespace onecast::structures
