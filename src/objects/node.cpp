#include "objects/node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "objects/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast {

LinkEntry* LinkTable::find(std::string_view name) {
  if (entries.size() >= kIndexFrom) {
    build_index();
    const auto found = index_->find(name);
    return found == index_->end() ? nullptr : &entries[found->second];
  }
  for (LinkEntry& e : entries)
    if (!e.removed && e.message.name == name) return &e;
  return nullptr;
}

void LinkTable::build_index() {
  if (index_) return;
  index_ = std::make_unique<std::unordered_map<std::string_view, std::size_t>>();
  index_->reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!entries[i].removed) index_->emplace(entries[i].message.name, i);
}

LinkEntry& LinkTable::add(const LinkMessage& message, Node* node) {
  entries.push_back({message, node, false});
  ++live;
  ++next_creation_order;
  if (index_) index_->emplace(message.name, entries.size() - 1);
  return entries.back();
}

void LinkTable::sort() {
  const auto before = [&](const LinkEntry& a, const LinkEntry& b) {
    if (creation_order_tracked && a.message.creation_order != b.message.creation_order)
      return a.message.creation_order < b.message.creation_order;
    return a.message.name < b.message.name;
  };
  if (!std::is_sorted(entries.begin(), entries.end(), before))
    std::sort(entries.begin(), entries.end(), before);
}

void LinkTable::remove(LinkEntry& entry) {
  entry.removed = true;
  --live;
  if (index_) index_->erase(entry.message.name);
}

std::string Node::path() const {
  // Groups may lie in each other deeper than calls may.
  std::vector<std::string_view> names;
  for (const Node* node = this; node->parent != nullptr; node = node->parent)
    names.push_back(node->name);
  if (names.empty()) return "/";
  std::string path;
  for (auto part = names.rbegin(); part != names.rend(); ++part) path.append("/").append(*part);
  return path;
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
  auto table = file->arena.make<LinkTable>(file->arena.memory());
  if (is_new()) {
    table->creation_order_tracked = true;
  } else {
    const bool own = file->access == Access::read_write;
    const auto add = [&](LinkMessage link) {
      file->structures->count(link.name.size() + link.soft_value.size() + link.user_data.size(),
                              address, LinkMessage::kTitle);
      // Pages change under a file that is open for writing: names must not lie in them.
      if (own) {
        link.name = file->arena.keep(link.name);
        link.soft_value = file->arena.keep(link.soft_value);
        link.user_data = file->arena.keep(link.user_data);
      }
      table->entries.push_back({link, nullptr, false});
    };
    table->entries.reserve(static_cast<std::size_t>(
        std::count_if(header.messages.begin(), header.messages.end(),
                      [](const HeaderMessage& m) { return m.type == MessageType::link; })));
    const LinksInfo info = read_links(*file->structures, header, add);
    table->creation_order_tracked = info.creation_order_tracked;
    table->next_creation_order = info.next_creation_order;
    table->live = table->entries.size();
    table->sort();
  }
  links_ = std::move(table);
  return *links_;
}

std::pmr::vector<StoredAttribute>& Node::attributes() {
  if (attributes_) return *attributes_;
  if (is_new()) return attributes_.emplace(file->arena.memory());
  auto found = read_attributes(*file->structures, header, file->arena.memory());
  for (StoredAttribute& a : found) {
    file->structures->count(a.message.size(), a.address, AttributeMessage::kTitle);
    // Pages change under a file that is open for writing: nothing must lie in them.
    if (file->access == Access::read_write)
      a = StoredAttribute(file->arena.keep(a.message), a.address, file->store->file(),
                          a.creation_order);
  }
  return attributes_.emplace(std::move(found));
}

StoredAttribute* Node::find_attribute(std::string_view wanted) {
  auto& all = attributes();
  if (all.size() < kIndexFrom) {
    for (StoredAttribute& a : all)
      if (a.decoded.name == wanted) return &a;
    return nullptr;
  }
  if (!attribute_index_) attribute_index_ = std::make_unique<AttributeIndex>();
  auto& [by_name, indexed] = *attribute_index_;
  for (; indexed < all.size(); ++indexed) by_name.emplace(all[indexed].decoded.name, indexed);
  const auto found = by_name.find(wanted);
  return found == by_name.end() ? nullptr : &all[found->second];
}

void Node::erase_attribute(const StoredAttribute& attribute) {
  auto& all = attributes();
  all.erase(all.begin() + (&attribute - all.data()));
  attribute_index_.reset();
}

const DatasetInfo& Node::dataset() {
  if (!dataset_) {
    file->require_open();  // decoding may read from the file
    require_kind(ObjectKind::dataset);
    dataset_ = file->arena.make<DatasetInfo>(read_dataset_info());
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
        throw Error(
            ErrorCode::unsupported,
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
