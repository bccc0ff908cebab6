#include <optional>
#include <utility>

#include "base/make_error.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/follow_links.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/files/new_path.hpp"
#include "objects/lifetime/anonymous.hpp"
#include "objects/lifetime/release.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/limits.hpp"
#include "objects/nodes/reference_count.hpp"
#include "onecast/objects/group.hpp"

namespace onecast {

using namespace create;

namespace {

/// An existing link and its group.
struct FoundLink {
  Node* group;
  LinkEntry* entry;
};

/// Returns true if the path leads to this link.
bool is_path_of(const FoundLink& link, Node& start, std::string_view path) {
  const SplitPath split(path);
  return split.name == link.entry->name() && find_object(start, split.above) == link.group;
}

FoundLink require_link(Node& start, std::string_view path) {
  const SplitPath split(path);
  if (split.name.empty() || split.name == ".")
    throw not_found_error("{}: \"{}\" is no link, but a group itself", start.where(), path);
  Node* group = find_object(start, split.above);
  if (group == nullptr) throw_missing(start, split.above);
  group->require_kind(ObjectKind::group);
  LinkEntry* entry = find_link(*group, split.name);
  if (entry == nullptr) throw_missing(*group, split.name);
  return {group, entry};
}

void check_target(const Node& group, std::string_view what, std::string_view target,
                  std::size_t longest) {
  if (target.empty() || target.size() > longest || target.find('\0') != std::string_view::npos)
    throw argument_error("{}: {}: 1 to {} bytes without NUL expected", group.where(), what,
                         longest);
}

/// Returns true if `inner` is the group `outer` or was reached through it.
bool lies_in(const Node* inner, const Node& outer) {
  for (; inner != nullptr; inner = inner->parent)
    if (inner == &outer) return true;
  return false;
}

/// Throws unless a hard link in `group` may lead to the object.
void require_linkable(const Node& target, const Node& group) {
  if (target.removed)
    throw state_error("{}: create_hard_link: the object was removed", target.where());
  if (!is_anonymous(target)) return;
  if (changes_locally(target))
    throw state_error(
        "{}: create_hard_link: inside independent() an object that all ranks "
        "know cannot get its first link",
        target.where());
  // Nothing would lead to the group and the object together, and nobody could remove them.
  if (lies_in(&group, target))
    throw argument_error(
        "{}: create_hard_link: the first link of a group must lie outside of "
        "the group",
        target.where());
}

}  // namespace

void Group::create_soft_link(std::string_view path, std::string_view target) {
  begin_adding(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group)).create_soft_link(there->path, target);
  FileState& file = file_of(*node_);
  NewPath at(*node_, path);
  check_target(*node_, "soft link target", target, kMaxNameLength);
  Node& group = at.make_group();
  LinkMessage message;
  message.type = LinkType::soft;
  message.soft_value = file.arena().keep(target);
  const LinkEntry& entry = add_link(group, at.name(), message, nullptr);
  file.log().grow(0, target.size());
  file.log().add("create soft link", group, entry.name(),
                 {CallArguments::kValue, Digest().add(target)});
}

void Group::create_external_link(std::string_view path, std::string_view target_file,
                                 std::string_view target) {
  begin_adding(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group))
        .create_external_link(there->path, target_file, target);
  FileState& file = file_of(*node_);
  NewPath at(*node_, path);
  check_target(*node_, "external link file", target_file, kMaxNameLength);
  check_target(*node_, "external link target", target, kMaxNameLength);
  Node& group = at.make_group();
  ExternalLinkValue value;
  value.file_name = target_file;
  value.object_path = target;
  LinkMessage message;
  message.type = LinkType::external;
  message.user_data = encode_kept(value, file.store().file(), file.arena());
  const LinkEntry& entry = add_link(group, at.name(), message, nullptr);
  file.log().grow(0, message.user_data.size());
  file.log().add("create external link", group, entry.name(),
                 {CallArguments::kValue, Digest().add(target_file).add(target)});
}

void Group::create_user_defined_link(std::string_view path, std::uint8_t link_class,
                                     std::span<const std::byte> value) {
  begin_adding(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group))
        .create_user_defined_link(there->path, link_class, value);
  FileState& file = file_of(*node_);
  NewPath at(*node_, path);
  const auto type = static_cast<LinkType>(link_class);
  if (type <= LinkType::external)
    throw argument_error("{}: link class: 65 to 255 expected, {} given", node_->where(),
                         link_class);
  if (value.size() > UINT16_MAX)
    throw argument_error("{}: link value: at most {} bytes expected, {} given", node_->where(),
                         UINT16_MAX, value.size());
  Node& group = at.make_group();
  LinkMessage message;
  message.type = type;
  message.user_data = file.arena().keep(value);
  const LinkEntry& entry = add_link(group, at.name(), message, nullptr);
  file.log().grow(0, value.size());
  file.log().add("create user-defined link", group, entry.name(),
                 {CallArguments::kValue, Digest().add(std::uint64_t{link_class}).add(value)});
}

void Group::create_hard_link(std::string_view path, const Object& object) {
  begin_adding(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group)).create_hard_link(there->path, object);
  FileState& file = file_of(*node_);
  NewPath at(*node_, path);
  Node& target = *object.node_;
  if (&file_of(target) != &file)
    throw argument_error("{}: hard link \"{}\": an object of this file expected, {} given",
                         node_->where(), path, target.where());
  require_addable(target, "create_hard_link");
  require_linkable(target, at.last_group());
  const std::uint32_t count = reference_count(target);
  if (count == UINT32_MAX)
    throw argument_error("{}: has 2^32 - 1 hard links already", target.where());
  // The flush counts the links that are made inside independent().
  if (!file.local_edits().is_inside()) set_reference_count(target, count + 1);
  Node& group = at.make_group();
  const LinkEntry& entry = add_link(group, at.name(), {}, &target);
  if (!changes_locally(target) && target.path().empty() && !lies_in(&group, target)) {
    file.note_moved(target);
    target.parent = &group;
    target.name = entry.name();
  }
  file.log().add("create hard link", group, entry.name(),
                 {CallArguments::kValue, Digest().add(target.identity())});
}

void Group::move(std::string_view from, std::string_view to) { move(from, *this, to); }

void Group::move(std::string_view from, Group& into, std::string_view to) {
  begin_adding(node_);
  FileState& file = file_of(*node_);
  file.require_editable();
  const FoundLink found = require_link(*node_, from);
  Node& start = *into.node_;
  if (&file_of(start) != &file)
    throw argument_error("{}: move \"{}\": a group of this file expected, {} given", node_->where(),
                         from, start.where());
  for (const auto& [group_of_path, path] : {std::pair(&*node_, from), std::pair(&start, to)})
    if (path_elsewhere(*group_of_path, path))
      throw unsupported_error(
          "{}: not supported: moving \"{}\" to \"{}\" through an external link; "
          "that can be done in the other file",
          node_->where(), from, to);
  require_changeable(*found.group, *found.entry, "move");
  if (is_path_of(found, start, to)) return;
  const LinkMessage message = found.entry->message();
  Node* target = message.type == LinkType::hard ? follow_link(*found.group, *found.entry) : nullptr;
  NewPath at(start, to);
  if (target != nullptr && lies_in(&at.last_group(), *target))
    throw argument_error("{}: cannot be moved into itself, to \"{}\"", target->where(), to);
  const bool inside = file.local_edits().is_inside();
  if (!inside) found.group->edit();
  Node& group = at.make_group();
  // The table may have grown if the new groups lie in the same group.
  LinkEntry& old = *found.group->find_link(message.name);
  const bool reached_by_it =
      target != nullptr && target->parent == found.group && target->name == message.name;
  if (inside)
    file.local_edits().remove_link(*found.group, old);
  else
    found.group->changing_links().remove(old);
  const LinkEntry& entry = add_link(group, at.name(), message, target);
  if (target != nullptr && target->is_local()) {
    --target->local()->links;
    target->local()->on_the_way = false;
  }
  if (reached_by_it) {
    file.note_moved(*target);
    target->parent = &group;
    target->name = entry.name();
  }
  file.log().add("move", group, entry.name(),
                 {CallArguments::kValue, Digest().add(found.group->identity()).add(message.name)});
}

void Group::remove(std::string_view path, HeldObjects held) {
  require_writable(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group)).remove(there->path, held);
  FileState& file = file_of(*node_);
  file.require_editable();
  file.require_structure_may_change();
  const FoundLink found = require_link(*node_, path);
  require_changeable(*found.group, *found.entry, "remove");
  if (file.local_edits().is_inside()) {
    Node* local = found.entry->node;
    file.local_edits().remove_link(*found.group, *found.entry);
    if (local != nullptr) file.local_edits().unlink(*local);
    return;
  }
  std::optional<Unlinking> unlinking;
  Node* target = sound_target(*found.group, *found.entry);
  if (target != nullptr) unlinking.emplace(*target);
  found.group->edit();
  const bool stays =
      held == HeldObjects::kept && unlinking && becomes_anonymous(*target, *unlinking);
  LinkEntry& entry = *found.group->find_link(SplitPath(path).name);
  file.log().add("remove", *found.group, entry.name());
  found.group->changing_links().remove(entry);
  if (unlinking && !stays) unlinking->carry_out();
}

}  // namespace onecast
