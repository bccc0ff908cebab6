#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/infra/chunk_elements.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "III.I. Disk Format: Level 1I - Fixed Array Index".
struct FixedArrayHeader {
  static constexpr const char* kTitle = "Fixed Array Header";

  ChunkArrayClient client = ChunkArrayClient::chunks;
  std::uint8_t entry_size = 0;
  std::uint8_t page_bits = 0;
  std::uint64_t max_entries = 0;
  Address data_block;

  static std::uint64_t size(const FileContext& file) {
    return 12 + std::uint64_t{file.size_of_lengths} + file.size_of_offsets;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "FAHD");
    v.version("Version", 0);
    v.u8("Client ID", s.client);
    v.u8("Entry Size", s.entry_size);
    v.u8("Page Bits", s.page_bits);
    v.length("Max Num Entries", s.max_entries);
    v.address("Data Block Address", s.data_block);
    v.checksum("Checksum");
  }
};

/// A data block with its elements, or, if it is divided into pages, with a bitmap of the pages that
/// were written; the pages follow it.
struct FixedArrayDataBlock {
  static constexpr const char* kTitle = "Fixed Array Data Block";

  std::uint64_t bitmap_size = 0;    ///< context
  std::uint64_t elements_size = 0;  ///< context: in bytes
  ChunkArrayClient client = ChunkArrayClient::chunks;
  Address header;
  ByteView page_bitmap;
  ByteView elements;

  static std::uint64_t size(const FileContext& file, std::uint64_t inside) {
    return 10 + file.size_of_offsets + inside;
  }
  [[nodiscard]] FixedArrayDataBlock context() const {
    FixedArrayDataBlock block;
    block.bitmap_size = bitmap_size;
    block.elements_size = elements_size;
    return block;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "FADB");
    v.version("Version", 0);
    v.u8("Client ID", s.client);
    v.address("Header Address", s.header);
    v.view("Page Bitmap", s.page_bitmap, s.bitmap_size);
    v.view("Elements", s.elements, s.elements_size);
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
