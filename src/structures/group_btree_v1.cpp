#include "structures/group_btree_v1.hpp"

#include <algorithm>

#include "structures/read_record.hpp"

namespace onecast::structures {

SymbolTable::SymbolTable(MetadataSource& source, Address btree, Address local_heap)
    : source_(&source),
      heap_(source, local_heap),
      tree_(source, btree, BTreeV1NodeType::group, source.file().size_of_lengths) {}

SymbolTableNode SymbolTable::read_node(Address address, VisitedExtents* visited) const {
  const FileContext& file = source_->file();
  ByteReader in(source_->view(address, SymbolTableNode::kPrefixSize, SymbolTableNode::kTitle),
                address, file, SymbolTableNode::kTitle);
  std::uint16_t count = 0;
  Decoder decoder(in);
  SymbolTableNode::prefix(decoder, count);
  const std::uint64_t size = SymbolTableNode::kPrefixSize + count * SymbolTableEntry::size(file);
  if (visited != nullptr) visited->add(address, size, file, SymbolTableNode::kTitle);
  return read_record<SymbolTableNode>(*source_, address, size);
}

std::string_view SymbolTable::name(const SymbolTableEntry& entry) const {
  const std::string_view found = heap_.text(entry.link_name_offset, "Link Name Offset");
  if (found.empty())
    ByteReader({}, heap_.data_segment(), source_->file(), SymbolTableEntry::kTitle)
        .fail("Link Name Offset", "leads to an empty name");
  return found;
}

std::string_view SymbolTable::key_name(const BTreeV1::Node& node, unsigned index) const {
  ByteReader key = tree_.key(node, index);
  return heap_.text(decode<BTreeV1GroupKey>(key).name_offset, "Key");
}

std::optional<SymbolTableEntry> SymbolTable::find(std::string_view wanted) const {
  // "The object described by key[i] is the greatest object contained in child[i-1]": child i holds
  // the names above key i, up to and including key i+1.
  const auto leaf = tree_.descend([&](const BTreeV1::Node& node) -> std::optional<unsigned> {
    unsigned low = 0;
    unsigned high = node.entries;  // the child is in [low, high)
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (key_name(node, middle + 1) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == node.entries) return std::nullopt;
    return low;
  });
  if (!leaf) return std::nullopt;

  const SymbolTableNode node = read_node(tree_.child(leaf->first, leaf->second), nullptr);
  const auto at = std::lower_bound(
      node.entries.begin(), node.entries.end(), wanted,
      [this](const SymbolTableEntry& entry, std::string_view text) { return name(entry) < text; });
  if (at == node.entries.end() || name(*at) != wanted) return std::nullopt;
  return *at;
}

LinkMessage SymbolTable::link(const SymbolTableEntry& entry, std::string_view name) const {
  LinkMessage link;
  link.name = name;
  if (entry.cache_type == SymbolCacheType::soft_link) {
    link.type = LinkType::soft;
    link.soft_value = heap_.text(entry.link_value_offset, "Offset to Link Value");
  } else {
    link.object_header = entry.object_header;
  }
  link.flags = LinkMessage::flags_for(name.size(), link.type, link.character_set, false);
  return link;
}

std::uint64_t SymbolTable::estimated_count() const {
  // Libraries put up to 8 links into a leaf and 32 children into a node, and fill at least half.
  constexpr std::uint64_t kOfLeaf = 6;
  constexpr unsigned kBitsOfNode = 4;
  const BTreeV1::Node root = tree_.root();
  return (root.entries * kOfLeaf) << (kBitsOfNode * std::min<unsigned>(root.level, 8));
}

}  // namespace onecast::structures
