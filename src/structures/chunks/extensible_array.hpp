#pragma once

#include <functional>
#include <optional>

#include "base/namespaces.hpp"
#include "format/infra/extensible_array.hpp"
#include "structures/chunks/element_stretch.hpp"

namespace onecast::structures {

/// Computes where the elements of an extensible array lie. The first ones are in the index block.
/// All others are in data blocks of growing size; the data blocks of one size and of the next
/// smaller one make up a secondary block. The first secondary blocks are not stored: the index
/// block has the addresses of their data blocks.
struct ExtensibleArrayShape {
  /// The place of an element that is not in the index block.
  struct Position {
    unsigned secondary_block;
    std::uint64_t data_block;  ///< in the secondary block
    std::uint64_t element;     ///< in the data block
    std::uint64_t first;       ///< the number of the first element of the data block
  };

  /// The header must have powers of two where the format requires them.
  static ExtensibleArrayShape of(const ExtensibleArrayHeader& header);

  std::uint64_t index_elements = 0;
  unsigned min_elements_bits = 0;   ///< log2 of the elements of the smallest data block
  unsigned secondary_blocks = 0;    ///< in an array of the largest size
  unsigned secondary_in_index = 0;  ///< those of them that are not stored
  std::uint64_t page_elements = 0;

  /// The number of data blocks of secondary block u.
  [[nodiscard]] static std::uint64_t data_blocks(unsigned u) { return std::uint64_t{1} << u / 2; }
  /// The number of elements of a data block of secondary block u.
  [[nodiscard]] std::uint64_t elements(unsigned u) const {
    return std::uint64_t{1} << ((u + 1) / 2 + min_elements_bits);
  }
  /// The number of elements before secondary block u, without those of the index block.
  [[nodiscard]] std::uint64_t first_element(unsigned u) const {
    return ((std::uint64_t{1} << u) - 1) << min_elements_bits;
  }
  /// The number of data blocks before secondary block u.
  [[nodiscard]] static std::uint64_t first_data_block(unsigned u) {
    return 2 * (data_blocks(u) - 1) + (u % 2) * data_blocks(u);
  }
  /// The number of pages of a data block of secondary block u; 0: its elements are not in pages.
  [[nodiscard]] std::uint64_t pages(unsigned u) const {
    return elements(u) > page_elements ? elements(u) / page_elements : 0;
  }
  /// The bytes of the elements and the checksums of pages in a data block of secondary block u.
  [[nodiscard]] std::uint64_t inside(unsigned u, std::uint64_t element_size) const {
    return elements(u) * element_size + pages(u) * ChunkArrayPage::kChecksumSize;
  }
  /// The number of elements for which the array has room.
  [[nodiscard]] std::uint64_t size() const {
    return index_elements + first_element(secondary_blocks);
  }
  [[nodiscard]] Position position(std::uint64_t number) const;
  /// The field "Block Offset", as the HDF5 library stores it. In data blocks of the index block it
  /// is not the number of elements before them: the library multiplies by the number of the data
  /// block in the array, not in the secondary block.
  [[nodiscard]] std::uint64_t stored_block_offset(const Position& place) const;
};

/// Reads an extensible array. A copy is cheap and keeps what was decoded. Each thread needs its
/// own.
class ExtensibleArray {
 public:
  /// Reads the header and the index block.
  ExtensibleArray(MetadataSource& source, Address header, bool filtered);

  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] const ExtensibleArrayHeader& header() const { return header_; }
  [[nodiscard]] std::uint64_t size() const { return shape_.size(); }
  [[nodiscard]] const ElementReader& reader() const { return reader_; }
  /// The stretch that contains element `number`, which is below size().
  ElementStretch stretch(std::uint64_t number);

  /// Calls secondary(number, address) for the existing secondary blocks, and data(place, address,
  /// page bitmap of the secondary block) for the data blocks.
  using EachSecondaryBlock = std::function<void(unsigned, Address)>;
  using EachDataBlock =
      std::function<void(const ExtensibleArrayShape::Position&, Address, ByteView)>;
  void for_each_part(const EachSecondaryBlock& secondary, const EachDataBlock& data);

  /// Calls each(address, size) for all space that the array takes in the file.
  using EachBlock = std::function<void(Address, std::uint64_t)>;
  void for_each_block(const EachBlock& each);

 private:
  using Position = ExtensibleArrayShape::Position;

  void set_shape();
  void read_index_block();
  [[nodiscard]] Address address_in(ByteView addresses, std::uint64_t i) const;
  [[nodiscard]] std::uint64_t index_block_size() const;
  [[nodiscard]] std::uint64_t secondary_block_size(unsigned u) const;
  void for_each_data_block(unsigned u, ByteView addresses, ByteView bitmap,
                           const EachDataBlock& each) const;
  /// Null if it was never written.
  const ExtensibleArraySecondaryBlock* secondary_block(unsigned u);
  ElementStretch data_block(const Position& place, Address address);
  ElementStretch page(const Position& place, Address address, ByteView bitmap);
  void check_owner(ChunkArrayClient client, Address header, Address block, const char* title) const;

  MetadataSource* source_;
  Address address_;
  ExtensibleArrayHeader header_;
  ElementReader reader_;
  ExtensibleArrayShape shape_;
  std::uint8_t offset_size_;
  std::optional<ExtensibleArrayIndexBlock> index_block_;  ///< absent: no element was ever written
  std::optional<std::pair<unsigned, ExtensibleArraySecondaryBlock>> last_secondary_;
};

}  // namespace onecast::structures
