#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar/labels.hpp"
#include "nodes/node_on_hdf5.hpp"

namespace onecast::cgns {

class Tree;

/// A node of an open file. It stays at its address until it is removed. Its children, its type and
/// its value are looked up when they are requested.
class Node {
 public:
  Node(Tree& tree, Node* parent, std::string name, Group group);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Label label() const { return label_; }
  /// The label as it is stored, even if it is not in the table.
  [[nodiscard]] std::string label_text() const;
  [[nodiscard]] ValueType type() const;
  /// Null for the root.
  [[nodiscard]] Node* parent() const { return parent_; }
  [[nodiscard]] Tree& tree() const { return *tree_; }
  /// The path, such as "/Base/Zone 1", for messages and cg_gopath.
  [[nodiscard]] std::string path() const;

  [[nodiscard]] bool is_link() const { return !link_.is_empty(); }
  /// The group that holds the value and the children; for a link, that of its target. Throws
  /// Failure if the link is dangling.
  [[nodiscard]] Group& group();
  /// The group that has the name of the node; for a link, the link itself.
  [[nodiscard]] Group& own_group() { return link_.is_empty() ? group_ : link_; }

  /// The value; absent if the node has none.
  [[nodiscard]] std::optional<Dataset> data();
  /// The extents of the value, the fastest first; empty if there is no value.
  [[nodiscard]] Dims dims();

  using Nodes = std::vector<Node*>;
  /// The children in the order in which they were created. This function and the lookups below
  /// throw Failure or Error if a child is damaged.
  [[nodiscard]] const std::vector<std::unique_ptr<Node>>& children();
  /// The children that are not damaged.
  [[nodiscard]] const std::vector<std::unique_ptr<Node>>& sound_children();
  /// The errors of the damaged children.
  [[nodiscard]] const std::vector<std::string>& damage();
  /// The children of a label, in the order in which the API counts them: zones by name, others as
  /// they were created, without dangling links. Valid until a child is created or removed.
  [[nodiscard]] const Nodes& children(Label label);
  /// The dangling links among the children that may be of that label.
  [[nodiscard]] Nodes lost(Label label);
  /// Describes a dangling link and its target.
  [[nodiscard]] std::string lost_text() const;
  /// Returns the child of that name; null if there is none.
  [[nodiscard]] Node* find(std::string_view name);
  [[nodiscard]] Node* find(std::string_view name, Label label);

  /// A number that names the node to programs, such as an id of cgio; 0: none.
  std::uint64_t tag = 0;
  /// A small value that was read together with others; see Tree::bring_values.
  std::unique_ptr<std::vector<std::byte>> brought;
  /// Data that the API derived from the value; dropped when the value is replaced.
  std::shared_ptr<const void> derived;
  /// True if a warning has named this dangling link.
  bool is_told = false;

 private:
  friend class Tree;
  struct Children {
    std::vector<std::unique_ptr<Node>> all;
    std::vector<std::pair<Label, Nodes>> by_label;
    std::unordered_map<std::string_view, Node*> by_name;  ///< only if there are many
    std::vector<std::string> damage;
    std::exception_ptr first_damage;
    bool has_lost = false;  ///< dangling links
  };
  void load();
  void load_child(Children& children, const Link& link);
  /// Throws if the node is one of its own ancestors, so that a walk over a damaged file ends.
  void require_no_cycle();
  Children& looked_up();
  /// Returns the children. Throws if one is damaged.
  Children& loaded();
  static Nodes& of_label(Children& children, Label label);
  [[nodiscard]] bool may_have_many(Label label) const;
  Node& add(std::unique_ptr<Node> child);
  std::unique_ptr<Node> replace(Node& old, std::unique_ptr<Node> child);
  std::unique_ptr<Node> take(Node& child);

  Tree* tree_;
  Node* parent_;
  std::string name_;
  Group group_;  ///< empty for a link until it is followed
  Group link_;
  Label label_ = Label::other;
  std::unique_ptr<Children> children_;  ///< null: not looked up yet
};

}  // namespace onecast::cgns
