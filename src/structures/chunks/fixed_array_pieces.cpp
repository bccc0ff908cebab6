#include "structures/chunks/fixed_array_pieces.hpp"

namespace onecast::structures {

FixedArrayPieces::FixedArrayPieces(std::uint64_t max_entries, std::uint8_t page_bits,
                                   ElementWriter elements, const FileContext& file)
    : ChunkArrayPieces(std::move(elements)) {
  header_.client = this->elements().client();
  header_.entry_size = this->elements().entry_size(file);
  header_.page_bits = page_bits;
  header_.max_entries = max_entries;
  set_shape(file);
  const std::uint64_t all = max_entries * header_.entry_size;
  add(FixedArrayHeader::size(file));
  add(prefix_size_, shape_.pages == 0 ? 0 : all + shape_.pages * ChunkArrayPage::kChecksumSize);
}

FixedArrayPieces::FixedArrayPieces(FixedArray& stored, ElementWriter elements,
                                   const FileContext& file)
    : ChunkArrayPieces(std::move(elements)), header_(stored.header()) {
  set_shape(file);
  add_stored(stored.address(), FixedArrayHeader::size(file));
  add_stored(header_.data_block, prefix_size_);
  const ByteView bitmap = stored.data_block().page_bitmap;
  for (std::uint64_t page = 0; page < shape_.pages; ++page) {
    if (!bit_is_set(bitmap, page)) continue;
    page_pieces_.emplace(page, add_stored(header_.data_block + offset_of(page), size_of(page)));
    pages_.push_back(page);
  }
}

void FixedArrayPieces::set_shape(const FileContext& file) {
  shape_ = FixedArrayShape::of(header_);
  const std::uint64_t all = header_.max_entries * header_.entry_size;
  prefix_size_ = FixedArrayDataBlock::size(file, shape_.pages == 0 ? all : shape_.bitmap_size());
}

void FixedArrayPieces::mark_element(std::uint64_t number) {
  if (shape_.pages == 0) return mark(kDataBlock);
  const std::uint64_t page = number / shape_.page_elements;
  const auto [known, is_new] = page_pieces_.try_emplace(page, count());
  if (!is_new) return mark(known->second);
  add_inside(kDataBlock, offset_of(page), size_of(page));
  pages_.push_back(page);
  mark(kDataBlock);
}

void FixedArrayPieces::encode(std::size_t piece, std::span<std::byte> out,
                              std::span<const Address> addresses, const FileContext& file) const {
  if (piece > kDataBlock) {
    const std::uint64_t page = pages_[piece - kDataBlock - 1];
    return write_page(piece, out, page * shape_.page_elements,
                      shape_.elements_of(page, header_.max_entries), file);
  }
  if (piece == kDataBlock) return encode_data_block(out, addresses.front(), file);
  FixedArrayHeader header = header_;
  header.data_block = addresses[kDataBlock];
  ByteWriter writer(out);
  format::encode(writer, file, header);
}

void FixedArrayPieces::encode_data_block(std::span<std::byte> out, Address header,
                                         const FileContext& file) const {
  std::vector<std::byte> bitmap(static_cast<std::size_t>(shape_.bitmap_size()));
  for (const std::uint64_t page : pages_) set_bit(bitmap, page);
  std::vector<std::byte> inside;
  if (shape_.pages == 0)
    inside = elements(kDataBlock,
                      out.subspan(static_cast<std::size_t>(FixedArrayDataBlock::size(file, 0) -
                                                           ChunkArrayPage::kChecksumSize)),
                      0, header_.max_entries, file);
  FixedArrayDataBlock block;
  block.client = header_.client;
  block.header = header;
  block.page_bitmap = bitmap;
  block.elements = inside;
  ByteWriter writer(out);
  format::encode(writer, file, block);
}

}  // namespace onecast::structures
