#include "structures/chunks/extensible_array.hpp"

#include <bit>

namespace onecast::structures {

ExtensibleArrayShape ExtensibleArrayShape::of(const ExtensibleArrayHeader& header) {
  const auto log2 = [](unsigned n) { return static_cast<unsigned>(std::countr_zero(n)); };
  ExtensibleArrayShape shape;
  shape.index_elements = header.index_elements;
  shape.min_elements_bits = log2(header.min_elements);
  shape.secondary_in_index = 2 * log2(header.min_pointers);
  shape.secondary_blocks = 1 + header.max_bits - shape.min_elements_bits;
  shape.page_elements = std::uint64_t{1} << header.page_bits;
  return shape;
}

ExtensibleArrayShape::Position ExtensibleArrayShape::position(std::uint64_t number) const {
  const std::uint64_t at = number - index_elements;
  const auto u = static_cast<unsigned>(std::bit_width((at >> min_elements_bits) + 1)) - 1;
  const std::uint64_t inside = at - first_element(u);
  const std::uint64_t size = elements(u);
  return {u, inside / size, inside % size, number - inside % size};
}

std::uint64_t ExtensibleArrayShape::stored_block_offset(const Position& place) const {
  const unsigned u = place.secondary_block;
  if (u >= secondary_in_index) return place.first - index_elements;
  return first_element(u) + (first_data_block(u) + place.data_block) * elements(u);
}

ExtensibleArray::ExtensibleArray(MetadataSource& source, Address header, bool filtered)
    : source_(&source),
      address_(header),
      header_(read_record<ExtensibleArrayHeader>(source, header,
                                                 ExtensibleArrayHeader::size(source.file()))),
      reader_(reader_at(source, header, ExtensibleArrayHeader::kTitle), header_.client,
              header_.element_size, filtered),
      offset_size_(static_cast<std::uint8_t>((header_.max_bits + 7) / 8)) {
  set_shape();
  if (header_.index_block.is_defined()) read_index_block();
}

void ExtensibleArray::set_shape() {
  const ByteReader in = reader_at(*source_, address_, ExtensibleArrayHeader::kTitle);
  if (!std::has_single_bit(header_.min_elements))
    in.fail("Data Block Min Elements", "is not a power of two");
  if (!std::has_single_bit(header_.min_pointers) || header_.min_pointers < 2)
    in.fail("Secondary Block Min Data Pointers", "is not a power of two from 2 up");
  if (header_.page_bits > 56) in.fail("Max Data Block Page Nelmts Bits", "is above 56");
  shape_ = ExtensibleArrayShape::of(header_);
  // Keeps the sizes of blocks, which are products of these values, below 2^64.
  if (header_.max_bits > 56 ||
      header_.max_bits + 1U < shape_.min_elements_bits + shape_.secondary_in_index)
    in.fail("Max Nelmts Bits", "is above 56, or too few for the index block");
  if (shape_.pages(shape_.secondary_in_index - 1) != 0)
    in.fail("Max Data Block Page Nelmts Bits", "divides data blocks of the index block into pages");
}

void ExtensibleArray::check_owner(ChunkArrayClient client, Address header, Address block,
                                  const char* title) const {
  const ByteReader in = reader_at(*source_, block, title);
  if (client != header_.client) in.fail("Client ID", "is not that of the header");
  if (header != address_) in.fail("Header Address", "is not that of the header");
}

std::uint64_t ExtensibleArray::index_block_size() const {
  const std::uint64_t addresses =
      ExtensibleArrayShape::first_data_block(shape_.secondary_in_index) + shape_.secondary_blocks -
      shape_.secondary_in_index;
  return ExtensibleArrayIndexBlock::size(
      source_->file(), std::uint64_t{header_.index_elements} * header_.element_size +
                           addresses * source_->file().size_of_offsets);
}

std::uint64_t ExtensibleArray::secondary_block_size(unsigned u) const {
  const std::uint64_t blocks = ExtensibleArrayShape::data_blocks(u);
  return ExtensibleArraySecondaryBlock::size(
      source_->file(), offset_size_,
      blocks * ((shape_.pages(u) + 7) / 8 + source_->file().size_of_offsets));
}

void ExtensibleArray::read_index_block() {
  const std::uint64_t address_size = source_->file().size_of_offsets;
  ExtensibleArrayIndexBlock block;
  block.elements_size = std::uint64_t{header_.index_elements} * header_.element_size;
  block.data_blocks_size =
      ExtensibleArrayShape::first_data_block(shape_.secondary_in_index) * address_size;
  block.secondary_blocks_size =
      (shape_.secondary_blocks - shape_.secondary_in_index) * address_size;
  index_block_ = read_record(*source_, header_.index_block, index_block_size(), block);
  check_owner(index_block_->client, index_block_->header, header_.index_block,
              ExtensibleArrayIndexBlock::kTitle);
}

Address ExtensibleArray::address_in(ByteView addresses, std::uint64_t i) const {
  const std::size_t width = source_->file().size_of_offsets;
  ByteReader in(addresses.subspan(static_cast<std::size_t>(i) * width, width), address_,
                source_->file(), "Data Block Addresses");
  Address address;
  Decoder(in).address("Data Block Address", address);
  return address;
}

const ExtensibleArraySecondaryBlock* ExtensibleArray::secondary_block(unsigned u) {
  if (last_secondary_ && last_secondary_->first == u) return &last_secondary_->second;
  const Address address = address_in(index_block_->secondary_blocks, u - shape_.secondary_in_index);
  if (!address.is_defined()) return nullptr;
  const std::uint64_t blocks = ExtensibleArrayShape::data_blocks(u);
  ExtensibleArraySecondaryBlock block;
  block.offset_size = offset_size_;
  block.bitmap_size = blocks * ((shape_.pages(u) + 7) / 8);
  block.data_blocks_size = blocks * source_->file().size_of_offsets;
  block = read_record(*source_, address, secondary_block_size(u), block);
  check_owner(block.client, block.header, address, ExtensibleArraySecondaryBlock::kTitle);
  if (block.block_offset != shape_.first_element(u))
    reader_at(*source_, address, ExtensibleArraySecondaryBlock::kTitle)
        .fail("Block Offset", "is not that of its place");
  return &last_secondary_.emplace(u, block).second;
}

ElementStretch ExtensibleArray::data_block(const Position& place, Address address) {
  const std::uint64_t count = shape_.elements(place.secondary_block);
  if (!address.is_defined()) return {place.first, count, {}, {}};
  ExtensibleArrayDataBlock block;
  block.offset_size = offset_size_;
  const bool paged = shape_.pages(place.secondary_block) != 0;
  if (!paged) block.elements_size = count * header_.element_size;
  const std::uint64_t prefix = ExtensibleArrayDataBlock::size(source_->file(), offset_size_, 0);
  block = read_record(*source_, address, prefix + block.elements_size, block);
  check_owner(block.client, block.header, address, ExtensibleArrayDataBlock::kTitle);
  if (block.block_offset != place.first - header_.index_elements &&
      block.block_offset != shape_.stored_block_offset(place))
    reader_at(*source_, address, ExtensibleArrayDataBlock::kTitle)
        .fail("Block Offset", "is not that of its place");
  constexpr std::uint64_t kChecksum = 4;
  return {place.first, count, block.elements, address + (prefix - kChecksum)};
}

ElementStretch ExtensibleArray::page(const Position& place, Address address, ByteView bitmap) {
  const std::uint64_t page = place.element / shape_.page_elements;
  const std::uint64_t first = place.first + page * shape_.page_elements;
  const std::uint64_t bit = place.data_block * shape_.pages(place.secondary_block) + page;
  if (!bit_is_set(bitmap, bit)) return {first, shape_.page_elements, {}, {}};
  static_cast<void>(data_block(place, address));  // checks the prefix before the pages
  const std::uint64_t prefix = ExtensibleArrayDataBlock::size(source_->file(), offset_size_, 0);
  const std::uint64_t stride =
      shape_.page_elements * header_.element_size + ChunkArrayPage::kChecksumSize;
  return read_page(*source_, address + (prefix + page * stride), first, shape_.page_elements,
                   header_.element_size);
}

ElementStretch ExtensibleArray::stretch(std::uint64_t number) {
  if (!index_block_) return {0, size(), {}, {}};
  if (number < header_.index_elements) {
    const std::uint64_t before =
        ExtensibleArrayIndexBlock::size(source_->file(), 0) - ChunkArrayPage::kChecksumSize;
    return {0, header_.index_elements, index_block_->elements, header_.index_block + before};
  }
  const Position at = shape_.position(number);
  const unsigned u = at.secondary_block;
  if (u < shape_.secondary_in_index)
    return data_block(at, address_in(index_block_->data_blocks,
                                     ExtensibleArrayShape::first_data_block(u) + at.data_block));
  const auto* block = secondary_block(u);
  if (block == nullptr)
    return {header_.index_elements + shape_.first_element(u),
            ExtensibleArrayShape::data_blocks(u) * shape_.elements(u),
            {},
            {}};
  const Address address = address_in(block->data_blocks, at.data_block);
  if (!address.is_defined() || shape_.pages(u) == 0) return data_block(at, address);
  return page(at, address, block->page_bitmap);
}

void ExtensibleArray::for_each_data_block(unsigned u, ByteView addresses, ByteView bitmap,
                                          const EachDataBlock& each) const {
  const std::uint64_t before = shape_.index_elements + shape_.first_element(u);
  for (std::uint64_t i = 0; i < ExtensibleArrayShape::data_blocks(u); ++i)
    if (const Address block = address_in(addresses, i); block.is_defined())
      each({u, i, 0, before + i * shape_.elements(u)}, block, bitmap);
}

void ExtensibleArray::for_each_part(const EachSecondaryBlock& secondary,
                                    const EachDataBlock& data) {
  if (!index_block_) return;
  const std::size_t width = source_->file().size_of_offsets;
  for (unsigned u = 0; u < shape_.secondary_in_index; ++u) {
    const auto first = static_cast<std::size_t>(ExtensibleArrayShape::first_data_block(u)) * width;
    for_each_data_block(u, index_block_->data_blocks.subspan(first), {}, data);
  }
  for (unsigned u = shape_.secondary_in_index; u < shape_.secondary_blocks; ++u) {
    const auto* block = secondary_block(u);
    if (block == nullptr) continue;
    secondary(u, address_in(index_block_->secondary_blocks, u - shape_.secondary_in_index));
    for_each_data_block(u, block->data_blocks, block->page_bitmap, data);
  }
}

void ExtensibleArray::for_each_block(const EachBlock& each) {
  each(address_, ExtensibleArrayHeader::size(source_->file()));
  if (index_block_) each(header_.index_block, index_block_size());
  for_each_part([&](unsigned u, Address address) { each(address, secondary_block_size(u)); },
                [&](const Position& place, Address address, ByteView) {
                  each(address, ExtensibleArrayDataBlock::size(
                                    source_->file(), offset_size_,
                                    shape_.inside(place.secondary_block, header_.element_size)));
                });
}

}  // namespace onecast::structures
