#include "session/position.hpp"

#include <algorithm>

#include "grammar/failure.hpp"

namespace onecast::cgns {

Node& Position::node() const {
  if (!is_set()) throw Failure("there is no current position: cg_goto was not called, or failed");
  return steps_.empty() ? *base_node_ : *steps_.back().node;
}

void Position::set(int file, int base, Node& base_node) {
  file_ = file;
  base_ = base;
  base_node_ = &base_node;
  steps_.clear();
}

void Position::enter(Node& node, int index) { steps_.push_back({&node, node.label_text(), index}); }

void Position::leave() {
  if (steps_.empty()) throw Failure("'..' leads above the base");
  steps_.pop_back();
}

void Position::lose(int file) {
  clear();
  file_ = file;
}

void Position::clear() { *this = Position(); }

void Position::forget(const Node& node) {
  const auto is_there = [&](const Step& step) { return step.node == &node; };
  if (&node == base_node_ || std::ranges::any_of(steps_, is_there)) lose(file_);
}

void Position::replace(const Node& node, Node& now) {
  if (base_node_ == &node) base_node_ = &now;
  for (Step& step : steps_)
    if (step.node == &node) step.node = &now;
}

}  // namespace onecast::cgns
