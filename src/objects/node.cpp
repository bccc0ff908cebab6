#include "objects/node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "format/objects/attribute_message.hpp"
#include "objects/file_state.hpp"
#include "onecast/base/error.hpp"
#include "structures/object_contents.hpp"

namespace onecast {

LinkEntry* LinkTable::find(std::string_view name) {
  if (entries.size() >= kIndexFrom) {
    build_index();
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &entries[found->second];
  }
  for (LinkEntry& e : entries)
    if (!e.removed && e.message.name == name) return &e;
  return nullptr;
}

void LinkTable::build_index() {
  if (!index_.empty()) return;
  index_.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!entries[i].removed) index_.emplace(entries[i].message.name, i);
}

LinkEntry& LinkTable::add(const LinkMessage& message, Node* node) {
  entries.push_back({message, node, false});
  ++live;
  ++next_creation_order;
  if (!index_.empty()) index_.emplace(message.name, entries.size() - 1);
  return entries.back();
}

void LinkTable::remove(LinkEntry& entry) {
  entry.removed = true;
  --live;
  index_.erase(entry.message.name);
}

std::string Node::path() const {
  if (parent == nullptr) return name.empty() ? "/" : std::string(name);
  const std::string above = parent->path();
  return above == "/" ? above + std::string(name) : above + "/" + std::string(name);
}

std::string Node::where() const { return fmt::format("{}: {}", file->path, path()); }

std::string Node::where(std::string_view attribute) const {
  return fmt::format("{}: attribute \"{}\"", where(), attribute);
}

void Node::require_kind(ObjectKind wanted) const {
  constexpr const char* kNames[] = {"a group", "a dataset", "a committed datatype"};
  if (kind != wanted)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: is {}, not {}", where(), kNames[static_cast<int>(kind)],
                            kNames[static_cast<int>(wanted)]));
}

LinkTable& Node::links() {
  if (links_) return *links_;
  require_kind(ObjectKind::group);
  auto table = std::make_unique<LinkTable>();
  if (is_new()) {
    table->creation_order_tracked = true;
  } else {
    StoredLinks stored = read_links(*file->store, header);
    table->creation_order_tracked = stored.creation_order_tracked;
    table->next_creation_order = stored.next_creation_order;
    table->live = stored.links.size();
    table->entries.reserve(stored.links.size());
    const bool own = file->access == Access::read_write;
    for (LinkMessage& link : stored.links) {
      // Pages change under a file that is open for writing: names must not lie in them.
      if (own) {
        link.name = file->arena.keep(link.name);
        link.soft_value = file->arena.keep(link.soft_value);
        link.user_data = file->arena.keep(link.user_data);
      }
      table->entries.push_back({link, nullptr, false});
    }
  }
  links_ = std::move(table);
  return *links_;
}

std::vector<AttributeEntry>& Node::attributes() {
  if (attributes_) return *attributes_;
  auto table = std::make_unique<std::vector<AttributeEntry>>();
  if (!is_new()) {
    const bool own = file->access == Access::read_write;
    const auto stored = read_attributes(*file->store, header);
    table->reserve(stored.size());
    for (const StoredAttribute& a : stored) {
      const ByteView message = own ? ByteView(file->arena.keep(a.message)) : a.message;
      const auto decoded = decode<AttributeMessage>(message, a.address, file->store->file());
      table->push_back({decoded.name, message, a.address});
    }
  }
  attributes_ = std::move(table);
  return *attributes_;
}

const DatasetInfo& Node::dataset() {
  if (!dataset_) {
    require_kind(ObjectKind::dataset);
    dataset_ = std::make_unique<DatasetInfo>(read_dataset_info());
  }
  return *dataset_;
}

void Node::edit() {
  file->require_editable();
  if (!edited_) {
    if (!is_new()) {
      if (header.version != 2)
        throw Error(ErrorCode::unsupported,
                    fmt::format("{}: changing an object with a version 1 header", where()));
      if (header.prefix.has_message_creation_order())
        throw Error(ErrorCode::unsupported,
                    fmt::format("{}: changing an object that tracks the order of attributes", where()));
      attributes();
      if (kind == ObjectKind::group) links();
      std::erase_if(header.messages, [](const HeaderMessage& m) {
        return m.type == MessageType::link || m.type == MessageType::link_info ||
               m.type == MessageType::attribute || m.type == MessageType::attribute_info;
      });
      for (HeaderMessage& m : header.messages) m.data = file->arena.keep(m.data);
      forget_dataset();
    }
    edited_ = true;
  }
  dirty = true;
  file->dirty = true;
}

}  // namespace onecast
