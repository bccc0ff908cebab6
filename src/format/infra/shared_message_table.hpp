#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// One index of the table.
struct SharedMessageIndex {
  static constexpr const char* kTitle = "Shared Message Record List Header";

  std::uint8_t index_type = 0;      ///< 0: a list, 1: a version 2 B-tree
  std::uint16_t message_types = 0;  ///< bit n: messages of type n
  std::uint32_t minimum_message_size = 0;
  std::uint16_t list_cutoff = 0;
  std::uint16_t btree_cutoff = 0;
  std::uint16_t message_count = 0;
  Address index;
  Address heap;  ///< a fractal heap with the messages

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 0);
    v.u8("Index Type", s.index_type);
    v.u16("Message Type Flags", s.message_types);
    v.u32("Minimum Message Size", s.minimum_message_size);
    v.u16("List Cutoff", s.list_cutoff);
    v.u16("v2 B-tree Cutoff", s.btree_cutoff);
    v.u16("Number of Messages", s.message_count);
    v.address("Index Address", s.index);
    v.address("Fractal Heap Address", s.heap);
  }
};

/// "IV.D. Shared Object Header Message Table".
struct SharedMessageTable {
  static constexpr const char* kTitle = "Shared Object Header Message Table";

  std::uint8_t index_count = 0;  ///< context: from the Shared Message Table message
  std::vector<SharedMessageIndex> indexes;

  /// The size of a table.
  static std::uint64_t size(const FileContext& file, std::uint8_t index_count) {
    return 4 + index_count * (14U + 2U * file.size_of_offsets) + 4;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "SMTB");
    v.list("Index", s.indexes, s.index_count, 14,
           [](auto& each, auto& index) { each.record("Index", index); });
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
