#pragma once

#include <optional>
#include <string_view>

#include "base/namespaces.hpp"
#include "objects/memory/path.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/order.hpp"

namespace onecast::files {

/// The path of a new object or link, looked up before anything is changed.
class NewPath {
 public:
  /// Throws Error (not_found, invalid_argument, already_exists).
  NewPath(Node& start, std::string_view path);

  [[nodiscard]] std::string_view name() const { return split_.name; }

  /// Returns the last existing group on the way.
  [[nodiscard]] Node& last_group() const { return *group_; }
  /// Creates the missing groups on the way and returns the last one.
  Node& make_group();

 private:
  SplitPath split_;
  Node* group_;               ///< the last existing group
  std::string_view missing_;  ///< the path of the missing groups below it
};

/// A path that leaves its start's file by an external link.
struct PathElsewhere {
  Node* group;            ///< the target of the link
  std::string_view path;  ///< the rest of the path, from `group`
};
std::optional<PathElsewhere> path_elsewhere(Node& start, std::string_view path);

/// Adds a link that was checked before. It differs from `message` in its name and its creation
/// order.
LinkEntry& add_link(Node& group, std::string_view name, LinkMessage message, Node* target);

/// Does what add_link() does, with a new object.
Node& link_new(Node& group, std::string_view name, ObjectKind kind);
/// Does what add_link() does, with an object that no link leads to yet.
LinkEntry& link_object(Node& group, std::string_view name, Node& node);
/// Creates an object without a link: on all ranks alike, or inside independent() on this rank only.
Node& new_anonymous(FileState& file, ObjectKind kind);
/// Gives a node a number that differs from those of all other nodes and is equal on all ranks.
/// @same
void identify(Node& node, const Node& group, std::string_view name);
/// Returns the group in which the log says that the object was created; an anonymous object itself.
inline Node& created_in(Node& node) { return node.parent != nullptr ? *node.parent : node; }

/// Turns a new node into an empty group.
Node& make_group(Node& node, const GroupOptions& options = {});
Node& new_group(Node& parent, std::string_view name, const GroupOptions& options = {});
/// Creates a group only because its members need it; other ranks may create it, too.
Node& new_group_on_the_way(Node& parent, std::string_view name);

[[noreturn]] void throw_missing(const Node& group, std::string_view path);

}  // namespace onecast::files
