#pragma once

#include <map>

#include "base/namespaces.hpp"
#include "format/infra/fixed_array.hpp"
#include "structures/chunks/chunk_array_pieces.hpp"
#include "structures/chunks/fixed_array.hpp"

namespace onecast::structures {

/// A fixed array that is to be written. Piece 1 is the data block; its pages follow.
class FixedArrayPieces final : public ChunkArrayPieces {
 public:
  /// Makes an array without elements.
  FixedArrayPieces(std::uint64_t max_entries, std::uint8_t page_bits, ElementWriter elements,
                   const FileContext& file);
  /// Takes over an array that is in the file and has a data block.
  FixedArrayPieces(FixedArray& stored, ElementWriter elements, const FileContext& file);

  void encode(std::size_t piece, std::span<std::byte> out, std::span<const Address> addresses,
              const FileContext& file) const override;

 private:
  static constexpr std::size_t kDataBlock = 1;
  void mark_element(std::uint64_t number) override;
  void set_shape(const FileContext& file);
  [[nodiscard]] std::uint64_t offset_of(std::uint64_t page) const {
    return prefix_size_ + page * shape_.page_stride(header_.entry_size);
  }
  [[nodiscard]] std::uint64_t size_of(std::uint64_t page) const {
    return shape_.elements_of(page, header_.max_entries) * header_.entry_size +
           ChunkArrayPage::kChecksumSize;
  }
  void encode_data_block(std::span<std::byte> out, Address header, const FileContext& file) const;

  FixedArrayHeader header_;
  FixedArrayShape shape_;
  std::uint64_t prefix_size_ = 0;  ///< the size of the data block without its pages
  std::map<std::uint64_t, std::size_t> page_pieces_;
  std::vector<std::uint64_t> pages_;  ///< the page number of each piece after the data block
};

}  // namespace onecast::structures
