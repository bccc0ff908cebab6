#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "onecast/objects/file.hpp"
#include "tree/node.hpp"

namespace onecast::cgns {

/// What happens with a name that exists.
enum class Existing : std::uint8_t { refuse, replace };
/// Whether the tree keeps CGNSLibraryVersion, or it is a node like others, as for cgio.
enum class VersionNode : std::uint8_t { kept, plain };

/// How a tree is written.
struct TreeOptions {
  Existing existing = Existing::refuse;
  int compression = 0;   ///< of arrays: 0 none, 1..9
  float version = 3.4F;  ///< of new files; modified ones get it if theirs is lower
  VersionNode version_node = VersionNode::kept;
  bool has_ranks = false;                      ///< the file is open on ranks
  std::function<void(Node&)> on_removed = {};  ///< called with each node before it ends
  /// Called with a node that ends, whose children have, and the one that has its place.
  std::function<void(Node&, Node&)> on_replaced = {};
};

/// The nodes of an open file, looked up when they are asked for.
class Tree {
 public:
  /// A new file gets the root node. An existing file's small values are brought to all ranks.
  /// Throws Failure if it is no CGNS file. @collective
  Tree(File file, bool is_new, TreeOptions options);

  [[nodiscard]] File& file() { return file_; }
  [[nodiscard]] Node& root() { return *root_; }
  /// What happens with a name that exists.
  [[nodiscard]] Existing existing() const { return options_.existing; }
  [[nodiscard]] bool has_ranks() const { return options_.has_ranks; }
  /// False for old files whose dimensions stand in the order of HDF5.
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
  /// has a node of that name, or lies below the node.
  void move(Node& node, Node& parent, const std::string& name);

  /// The version of the library that wrote the file: 3.4.
  [[nodiscard]] float version();
  /// The file gets this version if it has a lower one.
  void raise_version(float version);

  /// Puts the small values that lie outside of the metadata into the headers of their nodes, so
  /// that an open brings them. Returns how many there were. @collective @same; does not communicate
  std::size_t take_in_values();

 private:
  /// Reads the small values that lie outside of the metadata in one collective call, so that no
  /// rank reads them by itself. Nodes behind links, and damaged ones, are left out. @collective
  void bring_values();
  /// Small values that lie outside of the metadata; not those of arrays. Ends when `each` returns
  /// false.
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
