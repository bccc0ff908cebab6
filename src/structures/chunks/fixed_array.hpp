#pragma once

#include <algorithm>
#include <optional>

#include "base/namespaces.hpp"
#include "format/infra/fixed_array.hpp"
#include "structures/chunks/element_stretch.hpp"

namespace onecast::structures {

/// The division of the elements of a fixed array into pages.
struct FixedArrayShape {
  static FixedArrayShape of(const FixedArrayHeader& header) {
    const std::uint64_t page = std::uint64_t{1} << header.page_bits;
    return {page, header.max_entries > page ? (header.max_entries - 1) / page + 1 : 0};
  }

  std::uint64_t page_elements = 0;
  std::uint64_t pages = 0;  ///< 0: the elements lie in the data block

  [[nodiscard]] std::uint64_t bitmap_size() const { return (pages + 7) / 8; }
  /// The last page has the remaining elements.
  [[nodiscard]] std::uint64_t elements_of(std::uint64_t page, std::uint64_t max_entries) const {
    return std::min(page_elements, max_entries - page * page_elements);
  }
  /// The bytes from the start of one page to the next.
  [[nodiscard]] std::uint64_t page_stride(std::uint64_t entry_size) const {
    return page_elements * entry_size + ChunkArrayPage::kChecksumSize;
  }
};

/// Reads a fixed array. A copy is cheap and keeps what was decoded. Each thread needs its own.
class FixedArray {
 public:
  /// Reads the header.
  FixedArray(MetadataSource& source, Address header, bool filtered);

  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] const FixedArrayHeader& header() const { return header_; }
  /// The data block. The header must have its address.
  const FixedArrayDataBlock& data_block();
  [[nodiscard]] std::uint64_t size() const { return header_.max_entries; }
  [[nodiscard]] const ElementReader& reader() const { return reader_; }
  /// The stretch that contains element `number`, which is below size().
  ElementStretch stretch(std::uint64_t number);

  /// Calls each(address, size) for all space that the array takes in the file.
  template <class F>
  void for_each_block(F&& each) {
    each(address_, FixedArrayHeader::size(source_->file()));
    if (!header_.data_block.is_defined()) return;
    const std::uint64_t pages = shape_.pages * ChunkArrayPage::kChecksumSize;
    each(header_.data_block,
         FixedArrayDataBlock::size(source_->file(), data_block().bitmap_size + pages +
                                                        header_.max_entries * header_.entry_size));
  }

 private:
  MetadataSource* source_;
  Address address_;
  FixedArrayHeader header_;
  ElementReader reader_;
  FixedArrayShape shape_;
  std::optional<FixedArrayDataBlock> data_block_;
};

}  // namespace onecast::structures
