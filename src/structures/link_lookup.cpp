#include "structures/link_lookup.hpp"

namespace onecast::structures {

LinkLookup::LinkLookup(MetadataSource& source, const LinksInfo& info)
    : source_(&source), info_(info) {
  dense_.emplace(source, info.dense.heap, info.dense.name_index, Address());
}

LinkLookup::LinkLookup(MetadataSource& source, const SymbolTableMessage& table) : source_(&source) {
  symbols_.emplace(source, table.btree, table.local_heap);
}

std::optional<LinkLookup> LinkLookup::of(MetadataSource& source, const ObjectHeader& header) {
  const auto decoded = [&]<class R>(const HeaderMessage& m, R message) {
    ByteReader in(m.data, m.address, source.file());
    decode_into(in, message);
    return message;
  };
  const HeaderMessage* table = header.find(MessageType::symbol_table);
  const HeaderMessage* info = header.find(MessageType::link_info);
  if (table != nullptr && !table->is_shared()) {
    const auto message = decoded(*table, SymbolTableMessage());
    if (message.btree.is_defined()) return LinkLookup(source, message);
  } else if (info != nullptr && !info->is_shared() && header.find(MessageType::link) == nullptr) {
    const LinksInfo found = links_info(decoded(*info, LinkInfoMessage()));
    if (found.dense.is_defined()) return LinkLookup(source, found);
  }
  return std::nullopt;
}

std::optional<LinkMessage> LinkLookup::find(std::string_view name) {
  if (dense_) {
    const auto message = dense_->find(name);
    if (!message) return std::nullopt;
    return decode<LinkMessage>(*message, info_.dense.heap, source_->file());
  }
  const auto entry = symbols_->find(name);
  if (!entry) return std::nullopt;
  return symbols_->link(*entry, symbols_->name(*entry));
}

}  // namespace onecast::structures
