#pragma once

#include <string>
#include <vector>

#include "session/open_file.hpp"

namespace onecast::cgns {

/// The current position of cg_goto and similar functions. A process has one.
class Position {
 public:
  /// One step, as cg_where returns it.
  struct Step {
    Node* node;
    std::string label;
    int index;  ///< its index among the nodes of its label, counted from 1
  };

  [[nodiscard]] bool is_set() const { return base_node_ != nullptr; }
  /// The file in which the position is, or was before it was lost; 0: none. Ranks whose calls
  /// failed still take part in collective calls on that file.
  [[nodiscard]] int file() const { return file_; }
  /// Throws Failure if there is no position.
  [[nodiscard]] Node& node() const;
  [[nodiscard]] int base() const { return base_; }
  /// The steps below the base.
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

  void set(int file, int base, Node& base_node);
  void enter(Node& node, int index);
  /// Goes one level up. Throws Failure (incorrect path) at the base.
  void leave();
  /// Loses the position; file() then returns `file`.
  void lose(int file);
  /// Clears the position, because its file is being closed.
  void clear();
  /// Forgets a node that is being removed.
  void forget(const Node& node);
  /// Replaces a node by the one that took its place.
  void replace(const Node& node, Node& now);

 private:
  int file_ = 0;
  int base_ = 0;
  Node* base_node_ = nullptr;
  std::vector<Step> steps_;
};

}  // namespace onecast::cgns
