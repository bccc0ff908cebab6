#include "onecast/objects/group.hpp"

#include <fmt/format.h>

#include <atomic>

#include "format/objects/group_messages.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/follow_links.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/files/new_path.hpp"
#include "objects/memory/limits.hpp"
#include "objects/memory/ordered.hpp"
#include "objects/memory/path.hpp"
#include "objects/nodes/dense_limits.hpp"

namespace onecast {

using namespace handles;

namespace {

/// Describes a link in its place, since groups may have very many.
void describe(const Node& group, const LinkTable& table, std::size_t position, Link& link) {
  const LinkEntry& entry = table.entries[position];
  const LinkMessage m = entry.message();
  link.name = m.name;
  link.character_set = m.character_set;
  link.link_class = static_cast<std::uint8_t>(m.type);
  link.position = position;
  link.keeps = file_of(group).keeper();
  if (table.creation_order_tracked) link.creation_order = m.creation_order;
  if (m.type == LinkType::soft) {
    link.kind = LinkKind::soft;
    link.target = m.soft_value;
  } else if (m.type == LinkType::external) {
    const auto value =
        decode<ExternalLinkValue>(m.user_data, group.address, file_of(group).store().file());
    link.kind = LinkKind::external;
    link.target = value.object_path;
    link.target_file = value.file_name;
  } else if (m.type != LinkType::hard) {
    link.kind = LinkKind::user_defined;
    link.value = m.user_data;
  } else {
    // Another thread may just be following the link (files::find_object).
    const std::atomic_ref known(const_cast<Node*&>(entry.node));
    const Node* const node = known.load(std::memory_order_acquire);
    const Address at = node != nullptr ? node->address : m.object_header;
    if (at.is_defined()) link.address = at.value;
  }
}

Link to_link(const Node& group, const LinkTable& table, std::size_t position) {
  Link link;
  describe(group, table, position, link);
  return link;
}

Node& require(Node& group, std::string_view path) {
  file_of(group).nodes().begin_lookup();
  if (Node* node = find_object(group, path)) return *node;
  throw_missing(group, path);
}

Node& require(Node& group, const Link& link) {
  file_of(group).require_open();
  file_of(group).nodes().begin_lookup();
  auto& entries = group.links().entries;
  // A link of another group, or of an earlier state of this one, is looked up by its name.
  if (link.position >= entries.size()) return require(group, link.name);
  LinkEntry& entry = entries[link.position];
  const std::string_view name = entry.name();
  const bool same = name.data() == link.name.data() && name.size() == link.name.size();
  if (entry.removed || (!same && name != link.name)) return require(group, link.name);
  if (Node* node = follow_link(group, entry)) return *node;
  throw_missing(group, link.name);
}

}  // namespace

std::vector<Link> Group::links(Order order) const {
  Node& group = *node_;
  file_of(group).require_open();
  const LinkTable& table = group.links();
  std::vector<Link> found;
  found.reserve(table.live);
  for (std::size_t i = 0; i < table.entries.size(); ++i)
    if (!table.entries[i].removed) describe(group, table, i, found.emplace_back());
  put_in_order(found, order, table.creation_order_tracked, group,
               [](const Link& link) { return link.name; });
  return found;
}

std::optional<Link> Group::find_link(std::string_view name) const {
  Node& group = *node_;
  file_of(group).require_open();
  const LinkTable& table = group.links();  // all links: the position is among these
  const LinkEntry* entry = group.find_link(name);
  if (entry == nullptr) return std::nullopt;
  return to_link(group, table, table.entries.index_of(*entry));
}

bool Group::tracks_link_order() const {
  file_of(*node_).require_open();
  return node_->links().creation_order_tracked;
}

std::optional<Link> Group::next_link(std::size_t position) const {
  Node& group = *node_;
  file_of(group).require_open();
  const LinkTable& table = group.links();
  for (std::size_t i = position; i < table.entries.size(); ++i)
    if (!table.entries[i].removed) return to_link(group, table, i);
  return std::nullopt;
}

std::optional<Link> Group::nth_link(std::size_t n, Order order) const {
  Node& group = *node_;
  file_of(group).require_open();
  const LinkTable& table = group.links();
  memory::require_tracked(order, table.creation_order_tracked, group);
  if (n >= table.live) return std::nullopt;
  const auto name = [&](std::size_t i) { return table.entries[i].name(); };
  const bool by_name = memory::is_by_name(order);
  if (!by_name && table.entries.size() == table.live)
    return to_link(group, table, memory::is_descending(order) ? table.live - 1 - n : n);
  std::vector<std::size_t> positions;
  positions.reserve(table.live);
  for (std::size_t i = 0; i < table.entries.size(); ++i)
    if (!table.entries[i].removed) positions.push_back(i);
  return to_link(group, table,
                 memory::nth_in_order(std::move(positions), n, memory::is_descending(order),
                                      by_name ? &name : nullptr));
}

std::size_t Group::link_count() const {
  file_of(*node_).require_open();
  return node_->links().live;
}

bool Group::contains(std::string_view path) const {
  const SplitPath split(path);
  file_of(*node_).nodes().begin_lookup();
  Node* group = find_object(*node_, split.above);
  if (group == nullptr) return false;
  if (split.name.empty() || split.name == ".") return true;
  return group->kind == ObjectKind::group && group->find_link(split.name) != nullptr;
}

std::optional<ObjectKind> Group::kind_of(std::string_view path) const {
  file_of(*node_).nodes().begin_lookup();
  try {
    if (const Node* node = find_object(*node_, path)) return node->kind;
  } catch (const Error& error) {
    // An external link to a missing file dangles like any other.
    if (error.code() != ErrorCode::not_found) throw;
  }
  return std::nullopt;
}

ObjectKind Group::kind_of(const Link& link) const { return require(*node_, link).kind; }

Group Group::open_group(std::string_view path) const {
  Node& node = require(*node_, path);
  node.require_kind(ObjectKind::group);
  return Group(handle_from(node_, node));
}

Dataset Group::open_dataset(std::string_view path) const {
  Node& node = require(*node_, path);
  node.require_kind(ObjectKind::dataset);
  return Dataset(handle_from(node_, node));
}

Object Group::open_object(std::string_view path) const {
  Node& node = require(*node_, path);
  return Object(handle_from(node_, node));
}

Group Group::open_group(const Link& link) const {
  Node& node = require(*node_, link);
  node.require_kind(ObjectKind::group);
  return Group(handle_from(node_, node));
}

Dataset Group::open_dataset(const Link& link) const {
  Node& node = require(*node_, link);
  node.require_kind(ObjectKind::dataset);
  return Dataset(handle_from(node_, node));
}

Object Group::open_object(const Link& link) const {
  Node& node = require(*node_, link);
  return Object(handle_from(node_, node));
}

Group Group::create_group(std::string_view path, const GroupOptions& options) {
  begin_adding(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group)).create_group(there->path, options);
  require_sound(options, [&] { return fmt::format("{}: group \"{}\"", node_->where(), path); });
  NewPath at(*node_, path);
  Node& node = new_group(at.make_group(), at.name(), options);
  return Group(handle_from(node_, node));
}

Group Group::create_anonymous_group(const GroupOptions& options) {
  begin_adding(node_);
  FileState& file = file_of(*node_);
  file.require_editable();
  require_sound(options, [&] { return file.path() + ": anonymous group"; });
  return Group(handle_from(node_, make_group(new_anonymous(file, ObjectKind::group), options)));
}

Group Group::require_group(std::string_view path) {
  begin_adding(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group)).require_group(there->path);
  require_addable(*node_, "require_group");
  if (Node* found = find_object(*node_, path);
      found != nullptr && (!found->is_local() || file_of(*node_).local_edits().is_inside())) {
    found->require_kind(ObjectKind::group);
    return Group(handle_from(node_, *found));
  }
  NewPath at(*node_, path);
  Node& node = new_group_on_the_way(at.make_group(), at.name());
  return Group(handle_from(node_, node));
}

}  // namespace onecast
