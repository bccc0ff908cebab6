#include "api/single_nodes.hpp"

namespace onecast::cgns {

Node& only(Node& parent, Label label) {
  if (Node* node = single(parent, label)) return *node;
  throw Failure(parent.path() + " has no " + std::string(text_of(label)), Failure::kNodeNotFound);
}

Node& create_only(Node& parent, Label label, const Value& value, const char* name) {
  const ChildRow<Label>& row = *child_row(parent.label(), label);
  const std::string checked = name == nullptr ? std::string(row.name) : checked_name(name);
  Node* old = single(parent, label);
  if (old != nullptr && old->name() != checked) {
    if (parent.tree().existing() == Existing::refuse)
      throw Failure("there is a " + std::string(text_of(label)) + " already: " + old->path());
    parent.tree().remove(*old);
  }
  return parent.tree().create(parent, checked, label, value);
}

Node* nearest(Node& node, Label label) {
  Node* found = &node;
  while (found != nullptr && found->label() != label) found = found->parent();
  return found;
}

Node& base_of(Node& node) {
  Node* base = nearest(node, Label::CGNSBase);
  if (base == nullptr) throw Failure(node.path() + " is in no base");
  return *base;
}

bool has_indices(Node& node) {
  return nearest(node, Label::Zone) != nullptr || nearest(node, Label::ParticleZone) != nullptr;
}

int index_dimension_at(Node& node) {
  if (Node* zone = nearest(node, Label::Zone)) return index_dimension(*zone);
  if (has_indices(node)) return 1;
  throw Failure(node.path() + " is in no zone: its indices have no dimension",
                Failure::kNoIndexDim);
}

}  // namespace onecast::cgns
