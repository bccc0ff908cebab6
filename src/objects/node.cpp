#include "objects/node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "format/objects/attribute_info_message.hpp"
#include "format/objects/data_layout_message.hpp"
#include "objects/file_state.hpp"
#include "objects/writable_header.hpp"
#include "onecast/base/error.hpp"

namespace onecast {

LinkEntry* LinkTable::find(std::string_view name) {
  const auto name_at = [&](std::size_t i) {
    return entries[i].removed ? std::string_view{} : entries[i].message.name;
  };
  const auto found = index_.find(arena_, name, entries.size(), name_at);
  return found ? &entries[*found] : nullptr;
}

LinkEntry& LinkTable::add(const LinkMessage& message, Node* node) {
  entries.push_back({message, node, false});
  ++live;
  ++next_creation_order;
  index_.add(message.name, entries.size() - 1);
  return entries.back();
}

LinkEntry& LinkTable::add_local(const LinkMessage& message, Node* node) {
  LinkEntry& entry = add(message, node);
  --next_creation_order;
  entry.is_local = true;
  return entry;
}

void LinkTable::remove_local() {
  for (LinkEntry& e : entries)
    if (e.is_local && !e.removed) remove(e);
}

void LinkTable::clear() {
  entries.clear();
  index_.reset();
  live = 0;
  next_creation_order = 0;
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
  index_.remove(entry.message.name);
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

void Node::require_known_to_all(const char* call) const {
  if (is_local())
    throw Error(ErrorCode::state,
                fmt::format("{}: {}: collective, but only this rank knows the dataset before the "
                            "next flush: it was created inside independent()",
                            where(), call));
}

void Node::throw_gone() const {
  throw Error(ErrorCode::state, fmt::format("{}: was removed from the file", where()));
}

LinkTable& Node::links() {
  require_there();
  return links_.get([&] {
    require_kind(ObjectKind::group);
    return read_links();
  });
}

Kept<LinkTable> Node::read_links() {
  auto table = file->arena.make<LinkTable>(file->arena);
  if (is_new()) {
    table->creation_order_tracked = true;
    return table;
  }
  const bool own = file->access == Access::read_write;
  const auto add = [&](const LinkMessage& message) {
    LinkMessage& link = table->entries.emplace_back(message).message;
    file->structures->count(link.name.size() + link.soft_value.size() + link.user_data.size(),
                            address, LinkMessage::kTitle);
    // Pages change under a file that is open for writing: names must not lie in them.
    if (own) {
      link.name = file->arena.keep(link.name);
      link.soft_value = file->arena.keep(link.soft_value);
      link.user_data = file->arena.keep(link.user_data);
    }
  };
  table->entries.reserve(header.count(MessageType::link));
  const LinksInfo info = onecast::read_links(*file->structures, header, add);
  table->creation_order_tracked = info.creation_order_tracked;
  table->next_creation_order = info.next_creation_order;
  table->live = table->entries.size();
  table->sort();
  file->expect_nodes(table->live);
  return table;
}

AttributeTable& Node::attributes() {
  require_there();
  return attributes_.get([&] { return read_attributes(); });
}

Kept<AttributeTable> Node::read_attributes() {
  Arena& arena = file->arena;
  auto table = arena.make<AttributeTable>(arena);
  if (is_new()) return table;
  const bool own = file->access == Access::read_write;
  table->reserve(header.count(MessageType::attribute));
  table->by_creation_order =
      for_each_attribute(*file->structures, *file->shared, header, [&](const StoredAttribute& a) {
        file->structures->count(a.message().size(), a.address(), AttributeMessage::kTitle);
        // Pages change under a file that is open for writing: nothing must lie in them.
        if (own)
          table->add(
              {arena.keep(a.message()), a.address(), file->store->file(), a.creation_order()});
        else
          table->add(a);
      });
  if (!table->by_creation_order) table->sort_by_name();
  for (const AttributeEntry* a : table->entries())
    table->next_creation_order = std::max(table->next_creation_order, a->creation_order() + 1);
  if (const HeaderMessage* m = header.find(MessageType::attribute_info)) {
    const auto info = decode<AttributeInfoMessage>(m->data, m->address, file->store->file());
    table->next_creation_order =
        std::max<std::uint32_t>(table->next_creation_order, info.maximum_creation_index);
  }
  return table;
}

const DatasetInfo& Node::dataset() {
  require_there();
  return dataset_.get([&] {
    file->require_open();  // decoding may read from the file
    require_kind(ObjectKind::dataset);
    return read_dataset_info();
  });
}

const Datatype& Node::datatype() {
  if (const Datatype* known = known_datatype()) return *known;
  return dataset().type;
}

void Node::look_ahead() noexcept {
  if (kind != ObjectKind::dataset || gone || known_datatype() != nullptr) return;
  try {
    // That of a virtual one depends on its sources.
    const HeaderMessage* layout = header.find(MessageType::data_layout);
    const HeaderMessage* type = header.find(MessageType::datatype);
    if (layout == nullptr || type == nullptr ||
        decode<DataLayoutMessage>(layout->data, layout->address, file->store->file())
                .layout_class == LayoutClass::virtual_dataset)
      return;
    static_cast<void>(dataspace());
    datatype_.store(&file->datatype(*type), std::memory_order_release);
  } catch (const std::exception&) {
    // Whoever asks for it hears of it.
  }
}

const Dataspace& Node::dataspace() {
  if (const Dataspace* known = known_dataspace()) return *known;
  if (const DatasetInfo* known = dataset_.get()) return known->space;
  require_there();
  file->require_open();
  require_kind(ObjectKind::dataset);
  const HeaderMessage* layout = header.find(MessageType::data_layout);
  const HeaderMessage* space = header.find(MessageType::dataspace);
  // What is amiss, dataset() says; and the shape of a virtual dataset depends on its sources.
  if (resized_ || layout == nullptr || space == nullptr ||
      decode<DataLayoutMessage>(layout->data, layout->address, file->store->file()).layout_class ==
          LayoutClass::virtual_dataset)
    return dataset().space;
  const Dataspace& found = file->dataspace(*space);
  dataspace_.store(&found, std::memory_order_release);
  return found;
}

void Node::edit() {
  own();
  dirty = true;
  file->dirty = true;
}

void Node::own() {
  require_there();
  file->require_editable();
  if (edited_) return;
  if (!is_new()) {
    attributes();
    if (kind == ObjectKind::group) links();
    make_writable(*this);
    forget_dataset();
  }
  edited_ = true;
}

}  // namespace onecast
