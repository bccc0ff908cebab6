#pragma once

#include <compare>
#include <map>

#include "base/namespaces.hpp"
#include "structures/chunks/chunk_array_pieces.hpp"
#include "structures/chunks/extensible_array.hpp"

namespace onecast::structures {

/// An extensible array that is to be written. Piece 1 is the index block.
class ExtensibleArrayPieces final : public ChunkArrayPieces {
 public:
  /// Makes an array without elements. Uses the fields of `header` that describe an empty array, but
  /// none that follow from the elements.
  ExtensibleArrayPieces(const ExtensibleArrayHeader& header, ElementWriter elements,
                        const FileContext& file);
  /// Takes over an array that is in the file and has an index block.
  ExtensibleArrayPieces(ExtensibleArray& stored, ElementWriter elements, const FileContext& file);

  void encode(std::size_t piece, std::span<std::byte> out, std::span<const Address> addresses,
              const FileContext& file) const override;

 private:
  enum class Kind : std::uint8_t { header, index_block, secondary_block, data_block, page };
  struct Part {
    Kind kind;
    unsigned secondary_block = 0;
    std::uint64_t data_block = 0;  ///< in the secondary block
    std::uint64_t page = 0;        ///< in the data block
    std::uint64_t first = 0;       ///< the number of the first element of a data block or page

    auto operator<=>(const Part&) const = default;
  };
  static constexpr std::size_t kHeader = 0;
  static constexpr std::size_t kIndexBlock = 1;

  void mark_element(std::uint64_t number) override;
  void note_stored_pages(const ExtensibleArrayShape::Position& place, Address data_block,
                         ByteView bitmap);
  [[nodiscard]] std::uint64_t page_size() const {
    return shape_.page_elements * header_.element_size + ChunkArrayPage::kChecksumSize;
  }
  /// The size of a data block without its pages.
  [[nodiscard]] std::uint64_t data_block_size(unsigned u) const;
  [[nodiscard]] std::uint64_t secondary_block_size(unsigned u) const;
  [[nodiscard]] std::uint64_t index_block_size() const;
  /// These return the number of the piece. A missing piece is added, and what refers to it is
  /// changed.
  std::size_t secondary_block(unsigned u);
  std::size_t data_block(const ExtensibleArrayShape::Position& place);
  std::size_t page(const ExtensibleArrayShape::Position& place);
  void note(const Part& part, std::size_t piece);
  [[nodiscard]] Address address_of(const Part& part, std::span<const Address> addresses) const;
  /// Writes the addresses of the data blocks of a secondary block.
  void write_data_blocks(unsigned u, ByteWriter& out, std::span<const Address> addresses) const;

  void encode_header(ByteWriter& out, std::span<const Address> addresses) const;
  void encode_index_block(std::span<std::byte> place, std::span<const Address> addresses) const;
  void encode_secondary_block(const Part& part, ByteWriter& out,
                              std::span<const Address> addresses) const;
  void encode_data_block(std::size_t piece, std::span<std::byte> place, Address header) const;
  [[nodiscard]] std::uint64_t bitmap_size(unsigned u) const;

  FileContext file_;
  ExtensibleArrayHeader header_;
  ExtensibleArrayShape shape_;
  std::uint8_t offset_size_;
  std::vector<Part> parts_;  ///< by piece
  std::map<Part, std::size_t> pieces_of_;
};

}  // namespace onecast::structures
