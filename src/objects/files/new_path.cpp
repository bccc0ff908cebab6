#include "objects/files/new_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/make_error.hpp"
#include "objects/codec/strings.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/follow_links.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/limits.hpp"
#include "objects/nodes/reference_count.hpp"

namespace onecast::files {
namespace {

void check_name(const Node& group, std::string_view name) {
  if (name.empty() || name == ".")
    throw argument_error("{}: link name \"{}\": is the group itself", group.where(), name);
  const std::size_t end = name.find('\0');
  if (name.size() > kMaxNameLength || end != std::string_view::npos)
    throw argument_error("{}: link name \"{}\"...: at most {} bytes without NUL were expected",
                         group.where(), name.substr(0, std::min<std::size_t>(80, end)),
                         kMaxNameLength);
}

}  // namespace

void throw_missing(const Node& group, std::string_view path) {
  throw not_found_error("{}: no object at \"{}\"", group.where(), path);
}

LinkEntry& add_link(Node& group, std::string_view name, LinkMessage message, Node* target) {
  const bool local = changes_locally(group);
  if (target != nullptr && target->is_local()) ++target->local()->links;
  if (local)
    group.own();
  else
    group.edit();
  const bool may_hide = !file_of(group).local_edits().empty();
  LinkTable& links = local || may_hide ? group.links() : group.changing_links();
  message.name = file_of(group).arena().keep(name);
  message.character_set = character_set_of(name);
  message.creation_order = links.next_creation_order;
  message.flags = LinkMessage::flags_for(name.size(), message.type, message.character_set,
                                         links.creation_order_tracked);
  if (local) {
    file_of(group).local_edits().add_link(group, message, target);
    return links.add_local(message, target);
  }
  // This may hide a local link of the same name, which the flush reports.
  if (may_hide)
    if (LinkEntry* hidden = links.find(name)) links.remove(*hidden);
  return links.add(message, target);
}

Node& link_new(Node& group, std::string_view name, ObjectKind kind) {
  Node& node = file_of(group).new_node(&group, name, kind);
  link_object(group, name, node);
  return node;
}

LinkEntry& link_object(Node& group, std::string_view name, Node& node) {
  FileState& file = file_of(group);
  node.parent = &group;
  LinkEntry& entry = add_link(group, name, {}, &node);
  node.name = entry.name();
  if (file.local_edits().is_inside())
    file.local_edits().make_local(node);
  else
    identify(node, group, name);
  node.edit();
  return entry;
}

Node& new_anonymous(FileState& file, ObjectKind kind) {
  file.require_structure_may_change();
  Node& node = file.new_node(nullptr, {}, kind);
  const bool local = file.local_edits().is_inside();
  if (local)
    file.local_edits().make_anonymous(node);
  else
    identify(node, file.root(), {});
  node.edit();
  if (!local) keep_reference_count(node, 0);
  file.changes().anonymous.push_back(&node);
  return node;
}

void identify(Node& node, const Node& group, std::string_view name) {
  // The number comes first, so that order by identity is order of creation.
  constexpr unsigned kDigestBits = 24;
  const std::uint64_t number = file_of(node).nodes().next_creation();
  const std::uint64_t digest = Digest(group.identity()).add(name).add(number).value();
  node.creation_digest =
      number << kDigestBits | (digest & ((std::uint64_t{1} << kDigestBits) - 1U));
}

Node& make_group(Node& node, const GroupOptions& options) {
  FileState& file = file_of(node);
  node.header.messages.push_back(file.group_info(options.dense_links));
  node.set_options(options);
  CallArguments arguments;
  if (options != GroupOptions())
    arguments[CallArguments::kStorage]
        .add(std::uint64_t{options.link_order})
        .add(std::uint64_t{options.attribute_order})
        .add(std::uint64_t{options.times})
        .add(std::uint64_t{options.dense_links.max_compact})
        .add(std::uint64_t{options.dense_links.min_dense})
        .add(std::uint64_t{options.dense_attributes.max_compact})
        .add(std::uint64_t{options.dense_attributes.min_dense});
  file.log().add("create group", created_in(node), node.name, arguments);
  return node;
}

Node& new_group(Node& parent, std::string_view name, const GroupOptions& options) {
  check_name(parent, name);
  return make_group(link_new(parent, name, ObjectKind::group), options);
}

Node& new_group_on_the_way(Node& parent, std::string_view name) {
  // The program gave no properties for it: it gets those of its parent.
  Node& node = new_group(parent, name, {.link_order = parent.links().creation_order_tracked});
  if (node.is_local()) node.local()->on_the_way = true;
  return node;
}

NewPath::NewPath(Node& start, std::string_view path) : split_(path), group_(&start) {
  FileState& file = file_of(start);
  file.require_editable();
  file.require_structure_may_change();
  require_addable(start, "create");
  check_name(start, split_.name);
  missing_ = split_.above;
  if (!missing_.empty() && missing_.front() == '/') group_ = &file.root();
  for (std::string_view rest = missing_;;) {
    const std::string_view part = next_name(rest);
    LinkEntry* entry = part.empty() ? nullptr : find_link(*group_, part);
    if (entry == nullptr) break;
    Node* next = follow_link(*group_, *entry);
    if (next == nullptr) throw_missing(*group_, part);
    require_addable(*next, "create");
    next->require_kind(ObjectKind::group);
    group_ = next;
    missing_ = rest;
  }
  std::string_view rest = missing_;
  bool in_new_group = false;
  for (auto part = next_name(rest); !part.empty(); part = next_name(rest)) {
    check_name(*group_, part);
    in_new_group = true;
  }
  if (!in_new_group && find_link(*group_, split_.name) != nullptr)
    throw Error(ErrorCode::already_exists,
                fmt::format("{}: \"{}\": name already exists", group_->where(), split_.name));
}

std::optional<PathElsewhere> path_elsewhere(Node& start, std::string_view path) {
  std::string_view rest = SplitPath(path).above;
  Node* at = rest.starts_with('/') ? &file_of(start).root() : &start;
  for (auto part = next_name(rest); !part.empty(); part = next_name(rest)) {
    LinkEntry* entry = at->kind == ObjectKind::group ? find_link(*at, part) : nullptr;
    at = entry == nullptr ? nullptr : follow_link(*at, *entry);
    if (at == nullptr) return std::nullopt;
    if (&file_of(*at) != &file_of(start))
      return PathElsewhere{at, path.substr(static_cast<std::size_t>(rest.data() - path.data()))};
  }
  return std::nullopt;
}

Node& NewPath::make_group() {
  for (auto part = next_name(missing_); !part.empty(); part = next_name(missing_))
    group_ = &new_group_on_the_way(*group_, part);
  return *group_;
}

}  // namespace onecast::files
