#include "structures/chunks/fixed_array.hpp"

namespace onecast::structures {

FixedArray::FixedArray(MetadataSource& source, Address header, bool filtered)
    : source_(&source),
      address_(header),
      header_(read_record<FixedArrayHeader>(source, header, FixedArrayHeader::size(source.file()))),
      reader_(reader_at(source, header, FixedArrayHeader::kTitle), header_.client,
              header_.entry_size, filtered) {
  const ByteReader in = reader_at(source, header, FixedArrayHeader::kTitle);
  // Far more than any file holds; products with it stay below 2^64.
  constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 56U;
  if (header_.max_entries == 0 || header_.max_entries > kMostEntries)
    in.fail("Max Num Entries", "is 0, or more than any file can hold");
  if (header_.page_bits > 56) in.fail("Page Bits", "is above 56");
  shape_ = FixedArrayShape::of(header_);
}

const FixedArrayDataBlock& FixedArray::data_block() {
  if (data_block_) return *data_block_;
  FixedArrayDataBlock block;
  block.bitmap_size = shape_.bitmap_size();
  if (shape_.pages == 0) block.elements_size = header_.max_entries * header_.entry_size;
  const std::uint64_t size =
      FixedArrayDataBlock::size(source_->file(), block.bitmap_size + block.elements_size);
  block = read_record(*source_, header_.data_block, size, block);
  const ByteReader in = reader_at(*source_, header_.data_block, FixedArrayDataBlock::kTitle);
  if (block.client != header_.client) in.fail("Client ID", "is not that of the header");
  if (block.header != address_) in.fail("Header Address", "is not that of the header");
  return data_block_.emplace(block);
}

ElementStretch FixedArray::stretch(std::uint64_t number) {
  if (!header_.data_block.is_defined()) return {0, header_.max_entries, {}, {}};
  const FixedArrayDataBlock& block = data_block();
  const std::uint64_t prefix = FixedArrayDataBlock::size(source_->file(), block.bitmap_size);
  if (shape_.pages == 0) {
    constexpr std::uint64_t kChecksum = 4;
    return {0, header_.max_entries, block.elements, header_.data_block + (prefix - kChecksum)};
  }
  const std::uint64_t page = number / shape_.page_elements;
  const std::uint64_t first = page * shape_.page_elements;
  const std::uint64_t count = shape_.elements_of(page, header_.max_entries);
  if (!bit_is_set(block.page_bitmap, page)) return {first, count, {}, {}};
  const std::uint64_t offset = prefix + page * shape_.page_stride(header_.entry_size);
  return read_page(*source_, header_.data_block + offset, first, count, header_.entry_size);
}

}  // namespace onecast::structures
