#pragma once

#include <optional>
#include <string_view>

#include "base/namespaces.hpp"
#include "objects/memory/path.hpp"
#include "objects/tree/node.hpp"
#include "onecast/objects/order.hpp"

namespace onecast::tree {

/// Where a new object goes, before anything is changed.
class Place {
 public:
  /// Throws Error (not_found, invalid_argument, already_exists).
  Place(Node& start, std::string_view path);

  [[nodiscard]] std::string_view name() const { return split_.name; }

  /// The last group on the way that is there.
  [[nodiscard]] Node& last_group() const { return *group_; }
  /// Makes the groups on the way that are not there yet; returns the last.
  Node& make_group();

 private:
  SplitPath split_;
  Node* group_;               ///< the last that is there
  std::string_view missing_;  ///< the groups below it that are not
};

/// Where a path leaves the file of its start, by an external link.
struct PlaceElsewhere {
  Node* group;            ///< that the link leads to
  std::string_view path;  ///< from there
};
std::optional<PlaceElsewhere> place_elsewhere(Node& start, std::string_view path);

/// Everything was checked: adds a link, which differs from `message` in its name and its order.
LinkEntry& add_link(Node& group, std::string_view name, LinkMessage message, Node* target);

/// The same with a new object.
Node& link_new(Node& group, std::string_view name, ObjectKind kind);
/// The same with an object that no link leads to yet.
LinkEntry& link_object(Node& group, std::string_view name, Node& node);
/// A new object that no link leads to. All ranks alike; inside independent() only this rank.
Node& new_anonymous(FileState& file, ObjectKind kind);
/// Tells it from all others, on all ranks alike. @same
void identify(Node& node, const Node& group, std::string_view name);
/// For the log: a new object is created in its group, an anonymous one by itself.
inline Node& created_in(Node& node) { return node.parent != nullptr ? *node.parent : node; }

/// A new node becomes an empty group.
Node& make_group(Node& node, const Tracked& tracked = {});
/// A new group in a group.
Node& new_group(Node& parent, std::string_view name, const Tracked& tracked = {});
/// A group for what will be in it, whoever else makes it.
Node& new_group_on_the_way(Node& parent, std::string_view name);

[[noreturn]] void throw_missing(const Node& group, std::string_view path);

}  // namespace onecast::tree
