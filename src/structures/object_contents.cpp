#include "structures/object_contents.hpp"

#include <algorithm>

#include "format/objects/attribute_info_message.hpp"
#include "structures/dense.hpp"
#include "structures/group_btree_v1.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {
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
    each(symbols.link(entry, name));
  });
}

using EachAttribute = std::function<void(const StoredAttribute&)>;

StoredAttribute stored_attribute(MetadataSource& source, const HeaderMessage& message,
                                 std::uint32_t order) {
  return {message.data, message.address, source.file(), order};
}

/// Calls `each` in creation order.
void each_in_order(std::vector<StoredAttribute> attributes, const EachAttribute& each) {
  std::sort(
      attributes.begin(), attributes.end(), [](const StoredAttribute& a, const StoredAttribute& b) {
        return std::pair(a.creation_order(), a.name()) < std::pair(b.creation_order(), b.name());
      });
  for (const StoredAttribute& a : attributes) each(a);
}

bool dense_attributes(MetadataSource& source, SharedMessages& shared,
                      const AttributeInfoMessage& info, const EachAttribute& each) {
  DenseAttributes dense(source, info.fractal_heap, info.name_btree, info.creation_order_btree,
                        &shared);
  const auto decoded = [&](ByteView message, std::uint32_t order) {
    return StoredAttribute(message, info.fractal_heap, source.file(), order);
  };
  const bool indexed =
      dense.for_each_creation_order_record([&](const AttributeCreationOrderRecord& record) {
        each(decoded(dense.message(record), record.creation_order));
      });
  if (indexed) return true;
  // Without that index, only the name index may have the order.
  const bool tracked = (info.flags & AttributeInfoMessage::kOrderTracked) != 0;
  std::vector<StoredAttribute> unsorted;
  dense.for_each_record([&](const AttributeNameRecord& record) {
    const StoredAttribute a = decoded(dense.message(record), record.creation_order);
    tracked ? unsorted.push_back(a) : each(a);
  });
  each_in_order(std::move(unsorted), each);
  return tracked;
}

}  // namespace

bool is_group(const ObjectHeader& header) {
  return std::ranges::any_of(header.messages, [](const HeaderMessage& m) {
    return m.type == MessageType::symbol_table || m.type == MessageType::link_info ||
           m.type == MessageType::link;
  });
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
  const LinksInfo found = links_info(info);
  if (found.dense.is_defined()) read_dense_links(source, found.dense, each);
  return found;
}

LinksInfo links_info(const LinkInfoMessage& info) {
  return {(info.flags & LinkInfoMessage::kOrderTracked) != 0,
          info.maximum_creation_index,
          {info.fractal_heap, info.name_btree, info.creation_order_btree}};
}

void read_dense_links(MetadataSource& source, const DensePlace& place, const EachLink& each) {
  DenseLinks dense(source, place.heap, place.name_index, {});
  dense.for_each_by_hash(
      [&](ByteView message) { each(decode<LinkMessage>(message, place.heap, source.file())); });
}

StoredAttribute::StoredAttribute(ByteView bytes, Address where, const FileContext& file,
                                 std::uint32_t order)
    : message_(bytes), address_(where), creation_order_(order) {
  note_parts(decode<AttributeMessage>(bytes, where, file));
}

StoredAttribute::StoredAttribute(ByteView bytes, const AttributeMessage& message)
    : message_(bytes) {
  note_parts(message);
}

void StoredAttribute::note_parts(const AttributeMessage& decoded) {
  name_size_ = static_cast<std::uint16_t>(decoded.name.size());
  datatype_size_ = static_cast<std::uint16_t>(decoded.datatype.size());
  dataspace_size_ = static_cast<std::uint16_t>(decoded.dataspace.size());
  version_ = decoded.version & 0x0fU;
  flags_ = decoded.flags & 0x0fU;
}

bool for_each_attribute(MetadataSource& source, SharedMessages& shared, const ObjectHeader& header,
                        const EachAttribute& each) {
  const bool by_order = header.version == 2 && header.prefix.has_message_creation_order();
  std::vector<StoredAttribute> unsorted;
  const HeaderMessage* info_message = nullptr;
  std::uint32_t place = 0;  // if no order is tracked, the header has them in creation order
  for (const HeaderMessage& m : header.messages) {
    if (m.type == MessageType::attribute_info) info_message = &m;
    if (m.type != MessageType::attribute) continue;
    const std::uint32_t order = by_order ? m.creation_order : place++;
    const StoredAttribute attribute = m.is_shared()
                                          ? stored_attribute(source, shared.resolve(m), order)
                                          : stored_attribute(source, m, order);
    by_order ? unsorted.push_back(attribute) : each(attribute);
  }
  if (by_order) each_in_order(std::move(unsorted), each);
  if (info_message == nullptr) return by_order;
  const auto info = decode_message<AttributeInfoMessage>(source, *info_message);
  if (!info.fractal_heap.is_defined()) return by_order;
  return dense_attributes(source, shared, info, each);
}

}  // namespace onecast::structures
