#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "format/infra/symbol_table_entry.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "III.B. Disk Format: Level 1B - Group Symbol Table Nodes".
struct SymbolTableNode {
  static constexpr const char* kTitle = "Symbol Table Node (A Leaf of a B-tree)";
  static constexpr std::uint64_t kPrefixSize = 8;

  std::vector<SymbolTableEntry> entries;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    auto count = static_cast<std::uint16_t>(s.entries.size());
    prefix(v, count);
    v.list("Group Entries", s.entries, count, SymbolTableEntry::size(v.file()),
           [](auto& visitor, auto& entry) { visitor.record("Symbol Table Entry", entry); });
  }

  /// The rows before the entries, which give the length of the node.
  template <class V>
  static void prefix(V& v, std::uint16_t& count) {
    v.signature("Signature", "SNOD");
    v.last_version("Version Number", 1);
    v.reserved("Reserved", 1);
    v.u16("Number of Symbols", count);
  }
};

}  // namespace onecast::format
