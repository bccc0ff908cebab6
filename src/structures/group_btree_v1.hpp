#pragma once

#include <optional>
#include <string_view>

#include "base/namespaces.hpp"
#include "format/infra/symbol_table_node.hpp"
#include "format/objects/link_message.hpp"
#include "structures/btree_v1.hpp"
#include "structures/heaps/local_heap.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// Reads the symbol table of an old-style group: a B-tree of symbol table nodes, with names in a
/// local heap.
class SymbolTable {
 public:
  SymbolTable(MetadataSource& source, Address btree, Address local_heap);

  /// Calls `each(const SymbolTableEntry&, std::string_view name)` in ascending order of names.
  template <class F>
  void for_each(F&& each) const {
    BTreeV1::Walk walk(tree_);
    VisitedExtents visited;
    while (const auto leaf = walk.next()) {
      const SymbolTableNode node = read_node(leaf->child, &visited);
      for (const SymbolTableEntry& entry : node.entries) each(entry, name(entry));
    }
  }

  [[nodiscard]] std::optional<SymbolTableEntry> find(std::string_view wanted) const;
  [[nodiscard]] std::string_view name(const SymbolTableEntry& entry) const;
  /// The entry as a Link message.
  [[nodiscard]] LinkMessage link(const SymbolTableEntry& entry, std::string_view name) const;
  /// An estimate of the number of links.
  [[nodiscard]] std::uint64_t estimated_count() const;

  /// The heap of the names, which also holds the values of soft links.
  [[nodiscard]] const LocalHeap& heap() const { return heap_; }

 private:
  [[nodiscard]] SymbolTableNode read_node(Address address, VisitedExtents* visited) const;
  [[nodiscard]] std::string_view key_name(const BTreeV1::Node& node, unsigned index) const;

  MetadataSource* source_;
  LocalHeap heap_;
  BTreeV1 tree_;
};

}  // namespace onecast::structures
