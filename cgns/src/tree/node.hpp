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

/// A node of an open file. It stays at its address until it is removed. What lies below it, its
/// type and its value are looked up when they are asked for.
class Node {
 public:
  Node(Tree& tree, Node* parent, std::string name, Group group);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Label label() const { return label_; }
  /// The label as it is stored, also one that the table does not have.
  [[nodiscard]] std::string label_text() const;
  [[nodiscard]] ValueType type() const;
  /// Null for the root.
  [[nodiscard]] Node* parent() const { return parent_; }
  [[nodiscard]] Tree& tree() const { return *tree_; }
  /// "/Base/Zone 1": for messages, and cg_gopath.
  [[nodiscard]] std::string path() const;

  [[nodiscard]] bool is_link() const { return !link_.is_empty(); }
  /// Where the value and the children lie: for a link, in the node to which it leads. Throws
  /// Failure if the link leads to nothing.
  [[nodiscard]] Group& group();
  /// The group that has the name of the node: of a link, the link itself.
  [[nodiscard]] Group& own_group() { return link_.is_empty() ? group_ : link_; }

  /// The value; absent if the node has none.
  [[nodiscard]] std::optional<Dataset> data();
  /// Its extents, the fastest first; none if there is no value.
  [[nodiscard]] Dims dims();

  using Nodes = std::vector<Node*>;
  /// Children in the order in which they were created. This and the lookups below throw Failure or
  /// Error if one of them is damaged.
  [[nodiscard]] const std::vector<std::unique_ptr<Node>>& children();
  /// Those that are sound.
  [[nodiscard]] const std::vector<std::unique_ptr<Node>>& sound_children();
  /// What is wrong with the others.
  [[nodiscard]] const std::vector<std::string>& damage();
  /// Children of a label, in the order in which the API counts them: zones by name, others as they
  /// were created; links that lead to nothing are none. Valid until a child is created or removed.
  [[nodiscard]] const Nodes& children(Label label);
  /// Children that are links to nothing, and might be of that label.
  [[nodiscard]] Nodes lost(Label label);
  /// What a link that leads to nothing is said to be, and where it leads.
  [[nodiscard]] std::string lost_text() const;
  /// Null if there is none.
  [[nodiscard]] Node* find(std::string_view name);
  [[nodiscard]] Node* find(std::string_view name, Label label);

  /// A number of the program's, such as an id of cgio; 0: none.
  std::uint64_t tag = 0;
  /// A small value that came along with others; see Tree::bring_values.
  std::unique_ptr<std::vector<std::byte>> brought;
  /// What the API made of the value, until the value is replaced.
  std::shared_ptr<const void> derived;
  /// The program was told that this link leads to nothing.
  bool is_told = false;

 private:
  friend class Tree;
  struct Children {
    std::vector<std::unique_ptr<Node>> all;
    std::vector<std::pair<Label, Nodes>> by_label;
    std::unordered_map<std::string_view, Node*> by_name;  ///< only if there are many
    std::vector<std::string> damage;
    std::exception_ptr first_damage;
    bool has_lost = false;  ///< links that lead to nothing
  };
  void load();
  void load_child(Children& children, const Link& link);
  /// A tree is walked to its ends: a damaged file must not lead around in it.
  void require_no_cycle();
  Children& looked_up();
  /// Throws if one is damaged.
  Children& loaded();
  static Nodes& of_label(Children& children, Label label);
  [[nodiscard]] bool may_have_many(Label label) const;
  Node& add(std::unique_ptr<Node> child);
  std::unique_ptr<Node> replace(Node& old, std::unique_ptr<Node> child);
  std::unique_ptr<Node> take(Node& child);

  Tree* tree_;
  Node* parent_;
  std::string name_;
  Group group_;  ///< of a link: empty until it is followed
  Group link_;
  Label label_ = Label::other;
  std::unique_ptr<Children> children_;  ///< null: not looked up yet
};

}  // namespace onecast::cgns
