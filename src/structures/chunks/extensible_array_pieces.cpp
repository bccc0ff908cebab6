#include "structures/chunks/extensible_array_pieces.hpp"

namespace onecast::structures {

ExtensibleArrayPieces::ExtensibleArrayPieces(const ExtensibleArrayHeader& header,
                                             ElementWriter elements, const FileContext& file)
    : ChunkArrayPieces(std::move(elements)),
      file_(file),
      header_(header),
      shape_(ExtensibleArrayShape::of(header)),
      offset_size_(static_cast<std::uint8_t>((header.max_bits + 7) / 8)) {
  header_.client = this->elements().client();
  header_.element_size = this->elements().entry_size(file);
  header_.element_count = header_.index_elements;
  note({.kind = Kind::header}, add(ExtensibleArrayHeader::size(file)));
  note({.kind = Kind::index_block}, add(index_block_size()));
}

ExtensibleArrayPieces::ExtensibleArrayPieces(ExtensibleArray& stored, ElementWriter elements,
                                             const FileContext& file)
    : ChunkArrayPieces(std::move(elements)),
      file_(file),
      header_(stored.header()),
      shape_(ExtensibleArrayShape::of(header_)),
      offset_size_(static_cast<std::uint8_t>((header_.max_bits + 7) / 8)) {
  note({.kind = Kind::header}, add_stored(stored.address(), ExtensibleArrayHeader::size(file)));
  note({.kind = Kind::index_block}, add_stored(header_.index_block, index_block_size()));
  stored.for_each_part(
      [&](unsigned u, Address address) {
        note({.kind = Kind::secondary_block, .secondary_block = u},
             add_stored(address, secondary_block_size(u)));
      },
      [&](const ExtensibleArrayShape::Position& at, Address address, ByteView bitmap) {
        note({.kind = Kind::data_block,
              .secondary_block = at.secondary_block,
              .data_block = at.data_block,
              .first = at.first},
             add_stored(address, data_block_size(at.secondary_block)));
        note_stored_pages(at, address, bitmap);
      });
}

void ExtensibleArrayPieces::note_stored_pages(const ExtensibleArrayShape::Position& place,
                                              Address data_block, ByteView bitmap) {
  const unsigned u = place.secondary_block;
  const std::uint64_t pages = shape_.pages(u);
  for (std::uint64_t page = 0; page < pages; ++page)
    if (bit_is_set(bitmap, place.data_block * pages + page))
      note({.kind = Kind::page,
            .secondary_block = u,
            .data_block = place.data_block,
            .page = page,
            .first = place.first + page * shape_.page_elements},
           add_stored(data_block + (data_block_size(u) + page * page_size()), page_size()));
}

void ExtensibleArrayPieces::note(const Part& part, std::size_t piece) {
  parts_.push_back(part);
  pieces_of_.emplace(part, piece);
}

std::uint64_t ExtensibleArrayPieces::index_block_size() const {
  const std::uint64_t blocks = ExtensibleArrayShape::first_data_block(shape_.secondary_in_index) +
                               shape_.secondary_blocks - shape_.secondary_in_index;
  return ExtensibleArrayIndexBlock::size(
      file_, std::uint64_t{header_.index_elements} * header_.element_size +
                 blocks * file_.size_of_offsets);
}

std::uint64_t ExtensibleArrayPieces::secondary_block_size(unsigned u) const {
  const std::uint64_t blocks = ExtensibleArrayShape::data_blocks(u) * file_.size_of_offsets;
  return ExtensibleArraySecondaryBlock::size(file_, offset_size_, bitmap_size(u) + blocks);
}

std::uint64_t ExtensibleArrayPieces::data_block_size(unsigned u) const {
  return ExtensibleArrayDataBlock::size(
      file_, offset_size_, shape_.pages(u) == 0 ? shape_.inside(u, header_.element_size) : 0);
}

std::uint64_t ExtensibleArrayPieces::bitmap_size(unsigned u) const {
  return ExtensibleArrayShape::data_blocks(u) * ((shape_.pages(u) + 7) / 8);
}

void ExtensibleArrayPieces::mark_element(std::uint64_t number) {
  if (number >= header_.max_index_set) {
    header_.max_index_set = number + 1;
    mark(kHeader);
  }
  if (number < header_.index_elements) return mark(kIndexBlock);
  const ExtensibleArrayShape::Position at = shape_.position(number);
  mark(shape_.pages(at.secondary_block) == 0 ? data_block(at) : page(at));
}

std::size_t ExtensibleArrayPieces::secondary_block(unsigned u) {
  const Part part{.kind = Kind::secondary_block, .secondary_block = u};
  if (const auto known = pieces_of_.find(part); known != pieces_of_.end()) return known->second;
  const std::uint64_t size = secondary_block_size(u);
  const std::size_t piece = add(size);
  note(part, piece);
  ++header_.secondary_block_count;
  header_.secondary_block_size += size;
  mark(kHeader);
  mark(kIndexBlock);
  return piece;
}

std::size_t ExtensibleArrayPieces::data_block(const ExtensibleArrayShape::Position& place) {
  const unsigned u = place.secondary_block;
  const Part part{.kind = Kind::data_block,
                  .secondary_block = u,
                  .data_block = place.data_block,
                  .first = place.first};
  if (const auto known = pieces_of_.find(part); known != pieces_of_.end()) return known->second;
  mark(u < shape_.secondary_in_index ? kIndexBlock : secondary_block(u));
  const std::uint64_t behind = shape_.pages(u) == 0 ? 0 : shape_.inside(u, header_.element_size);
  const std::uint64_t size = data_block_size(u);
  const std::size_t piece = add(size, behind);
  note(part, piece);
  ++header_.data_block_count;
  header_.data_block_size += size + behind;
  header_.element_count += shape_.elements(u);
  mark(kHeader);
  return piece;
}

std::size_t ExtensibleArrayPieces::page(const ExtensibleArrayShape::Position& place) {
  const unsigned u = place.secondary_block;
  const std::uint64_t page = place.element / shape_.page_elements;
  const Part part{.kind = Kind::page,
                  .secondary_block = u,
                  .data_block = place.data_block,
                  .page = page,
                  .first = place.first + page * shape_.page_elements};
  if (const auto known = pieces_of_.find(part); known != pieces_of_.end()) return known->second;
  const std::size_t block = data_block(place);
  mark(secondary_block(u));
  const std::size_t piece = add_inside(block, size(block) + page * page_size(), page_size());
  note(part, piece);
  return piece;
}

void ExtensibleArrayPieces::encode(std::size_t piece, std::span<std::byte> out,
                                   std::span<const Address> addresses,
                                   const FileContext& file) const {
  const Part& part = parts_[piece];
  ByteWriter writer(out);
  switch (part.kind) {
    case Kind::header:
      return encode_header(writer, addresses);
    case Kind::index_block:
      return encode_index_block(out, addresses);
    case Kind::secondary_block:
      return encode_secondary_block(part, writer, addresses);
    case Kind::data_block:
      return encode_data_block(piece, out, addresses[kHeader]);
    case Kind::page:
      return write_page(piece, out, part.first, shape_.page_elements, file);
  }
}

void ExtensibleArrayPieces::encode_header(ByteWriter& out,
                                          std::span<const Address> addresses) const {
  ExtensibleArrayHeader header = header_;
  header.index_block = addresses[kIndexBlock];
  format::encode(out, file_, header);
}

Address ExtensibleArrayPieces::address_of(const Part& part,
                                          std::span<const Address> addresses) const {
  const auto known = pieces_of_.find(part);
  return known == pieces_of_.end() ? Address{} : addresses[known->second];
}

void ExtensibleArrayPieces::write_data_blocks(unsigned u, ByteWriter& out,
                                              std::span<const Address> addresses) const {
  Part part{.kind = Kind::data_block, .secondary_block = u};
  part.first = shape_.index_elements + shape_.first_element(u);
  for (; part.data_block < ExtensibleArrayShape::data_blocks(u); ++part.data_block) {
    out.uint(address_of(part, addresses).value, file_.size_of_offsets);
    part.first += shape_.elements(u);
  }
}

void ExtensibleArrayPieces::encode_index_block(std::span<std::byte> place,
                                               std::span<const Address> addresses) const {
  const auto width = std::size_t{file_.size_of_offsets};
  const std::vector<std::byte> inside =
      elements(kIndexBlock,
               place.subspan(static_cast<std::size_t>(ExtensibleArrayIndexBlock::size(file_, 0) -
                                                      ChunkArrayPage::kChecksumSize)),
               0, header_.index_elements, file_);
  std::vector<std::byte> data_blocks(
      static_cast<std::size_t>(ExtensibleArrayShape::first_data_block(shape_.secondary_in_index)) *
      width);
  ByteWriter data_block_addresses(data_blocks);
  for (unsigned u = 0; u < shape_.secondary_in_index; ++u)
    write_data_blocks(u, data_block_addresses, addresses);
  std::vector<std::byte> secondary_blocks((shape_.secondary_blocks - shape_.secondary_in_index) *
                                          width);
  ByteWriter secondary_addresses(secondary_blocks);
  for (unsigned u = shape_.secondary_in_index; u < shape_.secondary_blocks; ++u) {
    const Part part{.kind = Kind::secondary_block, .secondary_block = u};
    secondary_addresses.uint(address_of(part, addresses).value, width);
  }
  ExtensibleArrayIndexBlock block;
  block.client = header_.client;
  block.header = addresses[kHeader];
  block.elements = inside;
  block.data_blocks = data_blocks;
  block.secondary_blocks = secondary_blocks;
  ByteWriter out(place);
  format::encode(out, file_, block);
}

void ExtensibleArrayPieces::encode_secondary_block(const Part& part, ByteWriter& out,
                                                   std::span<const Address> addresses) const {
  const unsigned u = part.secondary_block;
  std::vector<std::byte> bitmap(static_cast<std::size_t>(bitmap_size(u)));
  const std::uint64_t pages = shape_.pages(u);
  for (auto p = pieces_of_.lower_bound({.kind = Kind::page, .secondary_block = u});
       pages != 0 && p != pieces_of_.end() && p->first.secondary_block == u; ++p)
    set_bit(bitmap, p->first.data_block * pages + p->first.page);
  std::vector<std::byte> data_blocks(
      static_cast<std::size_t>(ExtensibleArrayShape::data_blocks(u) * file_.size_of_offsets));
  ByteWriter data_block_addresses(data_blocks);
  write_data_blocks(u, data_block_addresses, addresses);
  ExtensibleArraySecondaryBlock block;
  block.offset_size = offset_size_;
  block.client = header_.client;
  block.header = addresses[kHeader];
  block.block_offset = shape_.first_element(u);
  block.page_bitmap = bitmap;
  block.data_blocks = data_blocks;
  format::encode(out, file_, block);
}

void ExtensibleArrayPieces::encode_data_block(std::size_t piece, std::span<std::byte> place,
                                              Address header) const {
  const Part& part = parts_[piece];
  const unsigned u = part.secondary_block;
  ExtensibleArrayDataBlock block;
  block.offset_size = offset_size_;
  block.client = header_.client;
  block.header = header;
  block.block_offset = shape_.stored_block_offset({u, part.data_block, 0, part.first});
  std::vector<std::byte> inside;
  if (shape_.pages(u) == 0)
    inside = elements(piece,
                      place.subspan(static_cast<std::size_t>(
                          ExtensibleArrayDataBlock::size(file_, offset_size_, 0) -
                          ChunkArrayPage::kChecksumSize)),
                      part.first, shape_.elements(u), file_);
  block.elements = inside;
  ByteWriter out(place);
  format::encode(out, file_, block);
}

}  // namespace onecast::structures
