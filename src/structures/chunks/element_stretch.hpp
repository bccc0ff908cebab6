#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/infra/chunk_elements.hpp"
#include "structures/read_record.hpp"

/// Code that readers of fixed and extensible arrays share.
namespace onecast::structures {

/// Elements of an array that are adjacent in the file, or that are all missing.
struct ElementStretch {
  std::uint64_t first = 0;  ///< the number of the first element
  std::uint64_t count = 0;
  ByteView elements;  ///< empty: none of them was ever written
  Address address;    ///< the address of `elements`
};

/// Decodes elements for both clients.
class ElementReader {
 public:
  /// Checks "Client ID" and "Entry Size", which tells the width of chunk sizes.
  ElementReader(const ByteReader& header, ChunkArrayClient client, std::uint64_t entry_size,
                bool filtered)
      : entry_size_(entry_size) {
    if (client != (filtered ? ChunkArrayClient::filtered_chunks : ChunkArrayClient::chunks))
      header.fail("Client ID", "is not that of such chunks");
    const std::uint64_t plain = header.file().size_of_offsets;
    const std::uint64_t more = ChunkElement::kMaskSize;
    if (filtered ? entry_size <= plain + more || entry_size > plain + more + 8
                 : entry_size != plain)
      header.fail("Entry Size", "does not fit addresses and sizes of chunks");
    filtered_ = filtered;
    if (filtered) size_size_ = static_cast<std::uint8_t>(entry_size - plain - more);
  }

  [[nodiscard]] std::uint64_t entry_size() const { return entry_size_; }
  /// The size of the field "Chunk Size"; 0: the chunks are not filtered.
  [[nodiscard]] std::uint8_t size_size() const { return size_size_; }

  [[nodiscard]] ChunkElement element(const ElementStretch& stretch, std::uint64_t number,
                                     const FileContext& file) const {
    const std::uint64_t at = (number - stretch.first) * entry_size_;
    ByteReader in(stretch.elements.subspan(static_cast<std::size_t>(at),
                                           static_cast<std::size_t>(entry_size_)),
                  stretch.address + at, file);
    ChunkElement element;
    element.filtered = filtered_;
    element.chunk_size_size = size_size_;
    decode_into(in, element);
    return element;
  }

 private:
  std::uint64_t entry_size_;
  bool filtered_ = false;
  std::uint8_t size_size_ = 0;
};

/// Tests a bit of a bitmap that begins with the highest bit of its first byte.
inline bool bit_is_set(ByteView bitmap, std::uint64_t bit) {
  return (std::to_integer<unsigned>(bitmap[static_cast<std::size_t>(bit / 8)]) &
          0x80U >> (bit % 8)) != 0;
}

/// Reads the elements of one page.
inline ElementStretch read_page(MetadataSource& source, Address address, std::uint64_t first,
                                std::uint64_t count, std::uint64_t entry_size) {
  ChunkArrayPage page;
  page.elements_size = count * entry_size;
  page = read_record(source, address, page.elements_size + ChunkArrayPage::kChecksumSize, page);
  return {first, count, page.elements, address};
}

}  // namespace onecast::structures
