#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/open_file.hpp"

namespace onecast::cgns {

/// The current position of cg_goto and its relatives: one per process.
class Position {
 public:
  /// What cg_where says of one step.
  struct Step {
    Node* node;
    std::string label;
    int index;  ///< among the nodes of its label, from 1
  };

  [[nodiscard]] bool is_set() const { return base_node_ != nullptr; }
  /// The file in which the position is, or was before it was lost; 0: none. Ranks whose calls
  /// failed still take part in what the others do in that file.
  [[nodiscard]] int file() const { return file_; }
  /// Throws Failure if there is none.
  [[nodiscard]] Node& node() const;
  [[nodiscard]] int base() const { return base_; }
  /// Below the base.
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

  void set(int file, int base, Node& base_node);
  void enter(Node& node, int index);
  /// One level up. Throws Failure (incorrect path) at the base.
  void leave();
  /// There is no position any more, after one in this file.
  void lose(int file);
  /// The file is about to end.
  void clear();
  /// The node is about to end.
  void forget(const Node& node);
  /// Another node has its place.
  void replace(const Node& node, Node& now);

 private:
  int file_ = 0;
  int base_ = 0;
  Node* base_node_ = nullptr;
  std::vector<Step> steps_;
};

}  // namespace onecast::cgns
