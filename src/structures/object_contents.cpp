#include "structures/object_contents.hpp"

#include <algorithm>

#include "format/objects/attribute_info_message.hpp"
#include "format/objects/group_messages.hpp"
#include "structures/dense.hpp"
#include "structures/group_btree_v1.hpp"
#include "structures/read_record.hpp"

namespace onecast {
namespace {

template <class R>
R decode_message(MetadataSource& source, const HeaderMessage& message) {
  if (message.is_shared())
    ByteReader({}, message.address, source.file(), R::kTitle)
        .refuse("Header Message Flags", "a shared message of this type");
  return decode<R>(message.data, message.address, source.file());
}

using EachLink = std::function<void(const LinkMessage&)>;

void symbol_table_links(MetadataSource& source, const HeaderMessage& message,
                        const EachLink& each) {
  const auto table = decode_message<SymbolTableMessage>(source, message);
  if (!table.btree.is_defined()) return;
  const SymbolTable symbols(source, table.btree, table.local_heap);
  symbols.for_each([&](const SymbolTableEntry& entry, std::string_view name) {
    LinkMessage link;
    link.name = name;
    if (entry.cache_type == SymbolCacheType::soft_link) {
      link.type = LinkType::soft;
      link.soft_value = symbols.heap().text(entry.link_value_offset, "Offset to Link Value");
    } else {
      link.object_header = entry.object_header;
    }
    each(link);
  });
}

void dense_links(MetadataSource& source, const LinkInfoMessage& info, const EachLink& each) {
  DenseLinks dense(source, info.fractal_heap, info.name_btree, {});
  dense.for_each_by_hash([&](ByteView message) {
    each(decode<LinkMessage>(message, info.fractal_heap, source.file()));
  });
}

}  // namespace

bool is_group(const ObjectHeader& header) {
  return header.find(MessageType::symbol_table) != nullptr ||
         header.find(MessageType::link_info) != nullptr ||
         header.find(MessageType::link) != nullptr;
}

LinksInfo read_links(MetadataSource& source, const ObjectHeader& header, const EachLink& each) {
  if (const HeaderMessage* table = header.find(MessageType::symbol_table)) {
    symbol_table_links(source, *table, each);
    return {};
  }
  LinkInfoMessage info;
  for (const HeaderMessage& m : header.messages) {
    if (m.type == MessageType::link_info) info = decode_message<LinkInfoMessage>(source, m);
    if (m.type == MessageType::link) each(decode_message<LinkMessage>(source, m));
  }
  if (info.fractal_heap.is_defined()) dense_links(source, info, each);
  return {(info.flags & LinkInfoMessage::kOrderTracked) != 0, info.maximum_creation_index};
}

StoredAttribute::StoredAttribute(ByteView bytes, Address where, const FileContext& file,
                                 std::uint64_t order)
    : message(bytes),
      address(where),
      creation_order(order),
      decoded(decode<AttributeMessage>(bytes, where, file)) {}

std::pmr::vector<StoredAttribute> read_attributes(MetadataSource& source,
                                                  const ObjectHeader& header,
                                                  std::pmr::memory_resource* memory) {
  std::pmr::vector<StoredAttribute> found(memory);
  found.reserve(static_cast<std::size_t>(
      std::count_if(header.messages.begin(), header.messages.end(),
                    [](const HeaderMessage& m) { return m.type == MessageType::attribute; })));
  const HeaderMessage* info_message = nullptr;
  for (const HeaderMessage& m : header.messages) {
    if (m.type == MessageType::attribute_info) info_message = &m;
    if (m.type != MessageType::attribute) continue;
    if (m.is_shared())
      ByteReader({}, m.address, source.file(), AttributeMessage::kTitle)
          .refuse("Header Message Flags", "an attribute in the heap of shared messages");
    found.emplace_back(m.data, m.address, source.file(), m.creation_order);
  }
  if (info_message != nullptr) {
    const auto info = decode_message<AttributeInfoMessage>(source, *info_message);
    if (info.fractal_heap.is_defined()) {
      DenseAttributes dense(source, info.fractal_heap, info.name_btree, info.creation_order_btree);
      const auto append = [&](ByteView message) {
        found.emplace_back(message, info.fractal_heap, source.file(), found.size());
      };
      if (!dense.for_each_by_creation_order(append)) dense.for_each_by_hash(append);
      return found;
    }
  }
  if (header.version == 2 && header.prefix.has_message_creation_order())
    std::sort(found.begin(), found.end(), [](const StoredAttribute& a, const StoredAttribute& b) {
      return a.creation_order != b.creation_order ? a.creation_order < b.creation_order
                                                  : a.decoded.name < b.decoded.name;
    });
  return found;
}

}  // namespace onecast
