#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/infra/chunk_elements.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "III.J. Disk Format: Level 1J - Extensible Array Index".
struct ExtensibleArrayHeader {
  static constexpr const char* kTitle = "Extensible Array Header";

  ChunkArrayClient client = ChunkArrayClient::chunks;
  std::uint8_t element_size = 0;
  std::uint8_t max_bits = 0;  ///< of an element's number
  std::uint8_t index_elements = 0;
  std::uint8_t min_elements = 0;  ///< in a data block
  std::uint8_t min_pointers = 0;  ///< to data blocks, in a secondary block
  std::uint8_t page_bits = 0;     ///< of the number of elements in a page
  std::uint64_t secondary_block_count = 0;
  std::uint64_t secondary_block_size = 0;
  std::uint64_t data_block_count = 0;
  std::uint64_t data_block_size = 0;
  std::uint64_t max_index_set = 0;
  std::uint64_t element_count = 0;
  Address index_block;

  static std::uint64_t size(const FileContext& file) {
    return 16 + std::uint64_t{6} * file.size_of_lengths + file.size_of_offsets;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "EAHD");
    v.version("Version", 0);
    v.u8("Client ID", s.client);
    v.u8("Element Size", s.element_size);
    v.u8("Max Nelmts Bits", s.max_bits);
    v.u8("Index Block Elements", s.index_elements);
    v.u8("Data Block Min Elements", s.min_elements);
    v.u8("Secondary Block Min Data Pointers", s.min_pointers);
    v.u8("Max Data Block Page Nelmts Bits", s.page_bits);
    v.length("Num Secondary Blocks", s.secondary_block_count);
    v.length("Secondary Block Size", s.secondary_block_size);
    v.length("Num Data Blocks", s.data_block_count);
    v.length("Data Block Size", s.data_block_size);
    v.length("Max Index Set", s.max_index_set);
    v.length("Num Elements", s.element_count);
    v.address("Index Block Address", s.index_block);
    v.checksum("Checksum");
  }
};

struct ExtensibleArrayIndexBlock {
  static constexpr const char* kTitle = "Extensible Array Index Block";

  std::uint64_t elements_size = 0;          ///< context: in bytes
  std::uint64_t data_blocks_size = 0;       ///< context: in bytes
  std::uint64_t secondary_blocks_size = 0;  ///< context: in bytes
  ChunkArrayClient client = ChunkArrayClient::chunks;
  Address header;
  ByteView elements;
  ByteView data_blocks;       ///< addresses
  ByteView secondary_blocks;  ///< addresses

  static std::uint64_t size(const FileContext& file, std::uint64_t inside) {
    return 10 + file.size_of_offsets + inside;
  }
  [[nodiscard]] ExtensibleArrayIndexBlock context() const {
    ExtensibleArrayIndexBlock block;
    block.elements_size = elements_size;
    block.data_blocks_size = data_blocks_size;
    block.secondary_blocks_size = secondary_blocks_size;
    return block;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "EAIB");
    v.version("Version", 0);
    v.u8("Client ID", s.client);
    v.address("Header Address", s.header);
    v.view("Elements", s.elements, s.elements_size);
    v.view("Data Block Addresses", s.data_blocks, s.data_blocks_size);
    v.view("Secondary Block Addresses", s.secondary_blocks, s.secondary_blocks_size);
    v.checksum("Checksum");
  }
};

struct ExtensibleArraySecondaryBlock {
  static constexpr const char* kTitle = "Extensible Array Secondary Block";

  std::uint8_t offset_size = 0;        ///< context: bytes of the field "Block Offset"
  std::uint64_t bitmap_size = 0;       ///< context
  std::uint64_t data_blocks_size = 0;  ///< context: in bytes
  ChunkArrayClient client = ChunkArrayClient::chunks;
  Address header;
  std::uint64_t block_offset = 0;
  ByteView page_bitmap;
  ByteView data_blocks;  ///< addresses

  static std::uint64_t size(const FileContext& file, std::uint8_t offset_size,
                            std::uint64_t inside) {
    return 10 + std::uint64_t{file.size_of_offsets} + offset_size + inside;
  }
  [[nodiscard]] ExtensibleArraySecondaryBlock context() const {
    ExtensibleArraySecondaryBlock block;
    block.offset_size = offset_size;
    block.bitmap_size = bitmap_size;
    block.data_blocks_size = data_blocks_size;
    return block;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "EASB");
    v.version("Version", 0);
    v.u8("Client ID", s.client);
    v.address("Header Address", s.header);
    v.uint("Block Offset", s.block_offset, s.offset_size);
    v.view("Page Bitmap", s.page_bitmap, s.bitmap_size);
    v.view("Data Block Addresses", s.data_blocks, s.data_blocks_size);
    v.checksum("Checksum");
  }
};

/// A data block. If it is divided into pages, its elements follow it.
struct ExtensibleArrayDataBlock {
  static constexpr const char* kTitle = "Extensible Array Data Block";

  std::uint8_t offset_size = 0;     ///< context: bytes of the field "Block Offset"
  std::uint64_t elements_size = 0;  ///< context: in bytes
  ChunkArrayClient client = ChunkArrayClient::chunks;
  Address header;
  std::uint64_t block_offset = 0;
  ByteView elements;

  static std::uint64_t size(const FileContext& file, std::uint8_t offset_size,
                            std::uint64_t inside) {
    return 10 + std::uint64_t{file.size_of_offsets} + offset_size + inside;
  }
  [[nodiscard]] ExtensibleArrayDataBlock context() const {
    ExtensibleArrayDataBlock block;
    block.offset_size = offset_size;
    block.elements_size = elements_size;
    return block;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "EADB");
    v.version("Version", 0);
    v.u8("Client ID", s.client);
    v.address("Header Address", s.header);
    v.uint("Block Offset", s.block_offset, s.offset_size);
    v.view("Elements", s.elements, s.elements_size);
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
