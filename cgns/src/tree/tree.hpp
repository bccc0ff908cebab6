#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "onecast/objects/file.hpp"
#include "tree/node.hpp"

namespace onecast::cgns {

/// The treatment of a name that exists.
enum class Existing : std::uint8_t { refuse, replace };
/// The tree maintains CGNSLibraryVersion, or it is a node like others, as for cgio.
enum class VersionNode : std::uint8_t { kept, plain };

/// The options for writing a tree.
struct TreeOptions {
  Existing existing = Existing::refuse;
  int compression = 0;   ///< compression of arrays: 0 none, 1..9
  float version = 3.4F;  ///< version of new files; modified files get it if theirs is lower
  VersionNode version_node = VersionNode::kept;
  bool has_ranks = false;                      ///< several ranks have the file open
  std::function<void(Node&)> on_removed = {};  ///< called with each node before it is removed
  /// Called with a node that is removed, after its children, and the node that takes its place.
  std::function<void(Node&, Node&)> on_replaced = {};
};

/// The nodes of an open file, which are looked up when they are requested.
class Tree {
 public:
  /// Creates the root node of a new file, or brings the small values of an existing file to all
  /// ranks. Throws Failure if it is not a CGNS file. @collective
  Tree(File file, bool is_new, TreeOptions options);

  [[nodiscard]] File& file() { return file_; }
  [[nodiscard]] Node& root() { return *root_; }
  /// The treatment of a name that exists.
  [[nodiscard]] Existing existing() const { return options_.existing; }
  [[nodiscard]] bool has_ranks() const { return options_.has_ranks; }
  /// False for old files, which store dimensions in the order of HDF5.
  [[nodiscard]] bool is_reversed() const { return reversed_; }

  /// Creates a node. Throws Failure if the name exists in a new file, or with another label; in a
  /// file opened to be modified the old node is removed, and the new one has its index.
  Node& create(Node& parent, const std::string& name, Label label, const Value& value,
               Storage storage = Storage::automatic) {
    return create(parent, name, text_of(label), value, storage);
  }
  Node& create(Node& parent, const std::string& name, std::string_view label, const Value& value,
               Storage storage = Storage::automatic);
  Node& create_link(Node& parent, const std::string& name, const LinkTarget& target);
  /// Replaces the value of a node.
  void write_value(Node& node, const Value& value, Storage storage = Storage::automatic);
  /// Replaces the value of a node by a copy of data in any open file, as it is stored there.
  void copy_value(Node& node, ValueType type, const Dataset& data);
  void remove(Node& node);
  void set_label(Node& node, std::string_view label);
  /// Gives a node another name or parent. It becomes the newest child. Throws Failure if the parent
  /// has a node of that name, or is a descendant of the node.
  void move(Node& node, Node& parent, const std::string& name);

  /// The version of the library that wrote the file, such as 3.4.
  [[nodiscard]] float version();
  /// Raises the version of the file to this one if it is lower.
  void raise_version(float version);

  /// Moves the small values that lie outside of the metadata to the headers of their nodes, so that
  /// an open reads them. Returns their number. @replicated
  std::size_t take_in_values();

 private:
  /// Reads the small values that lie outside of the metadata in one collective call, so that ranks
  /// do not read them independently. Nodes behind links and damaged nodes are left out. @collective
  void bring_values();
  /// Calls `each` for the small values that lie outside of the metadata, except those of arrays,
  /// until it returns false.
  void for_each_value_outside(const std::function<bool(Node&, const Dataset&)>& each);
  void make_way(Node& parent, const std::string& name, std::string_view label, Node*& old);
  [[nodiscard]] Placement placement(std::string_view label, Storage storage) const;
  Node& enter(Node& parent, Node* old, const std::string& name, Group group);
  void tell_children_removed(Node& node);
  void tell_removed(Node& node);

  File file_;
  TreeOptions options_;
  bool reversed_ = true;
  std::unique_ptr<Node> root_;
};

}  // namespace onecast::cgns
