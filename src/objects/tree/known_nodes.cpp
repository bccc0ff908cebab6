#include <fmt/format.h>

#include <algorithm>

#include "objects/memory/limits.hpp"
#include "objects/tree/file_state.hpp"
#include "onecast/base/error.hpp"
#include "structures/object_contents.hpp"

/// The objects that a file is known to have.
namespace onecast {
namespace {

ObjectKind kind_of(const ObjectHeader& header) {
  if (is_group(header)) return ObjectKind::group;
  if (header.find(MessageType::data_layout) != nullptr) return ObjectKind::dataset;
  if (header.find(MessageType::datatype) != nullptr) return ObjectKind::datatype;
  return ObjectKind::group;
}

}  // namespace

Node& FileState::node_at(Address address, Node* parent, std::string_view name) {
  Node** known_at = nullptr;
  Node* known = nullptr;
  {
    const std::scoped_lock lock(nodes_mutex_);
    register_addresses();
    known_at = &nodes_.at(address);
    known = *known_at;
    // What is the type of another object is met without a path.
    if (known != nullptr && access_ == Access::read_write && known->parent == nullptr &&
        known != root_) {
      known->parent = parent;
      known->name = name;
    }
  }
  if (known != nullptr) {
    recall(*known);
    return *known;
  }
  // Another thread may read it at the same time: the first one's node is kept.
  ObjectHeader header = read_object_header(*structures_, address, arena_.memory());
  const ObjectKind kind = kind_of(header);
  const std::scoped_lock lock(nodes_mutex_);
  if (*known_at == nullptr) *known_at = &add_node(parent, name, std::move(header), address, kind);
  return **known_at;
}

void FileState::expect_nodes(std::size_t more) {
  const std::scoped_lock lock(nodes_mutex_);
  nodes_.expect(more);
}

void FileState::register_addresses() {
  for (Node* node : unregistered_) nodes_.at(node->address) = node;
  unregistered_.clear();
}

void FileState::look_at_datasets() {
  for (; nodes_looked_at_ < nodes_.size(); ++nodes_looked_at_)
    nodes_[nodes_looked_at_].look_ahead();
}

Node* FileState::known_node(Address address) {
  Node* known = nullptr;
  {
    const std::scoped_lock lock(nodes_mutex_);
    register_addresses();
    known = nodes_.find(address);
  }
  if (known != nullptr) recall(*known);
  return known;
}

Node& FileState::node_of(const NodeId& id) {
  // Its path is known once somebody goes there.
  if (!id.is_new) return node_at(Address{id.identity}, nullptr, {});
  for (; nodes_in_new_nodes_ < nodes_.size(); ++nodes_in_new_nodes_)
    if (Node& node = nodes_[nodes_in_new_nodes_]; node.is_new())
      new_nodes_.emplace(node.creation_digest, &node);
  const auto found = new_nodes_.find(id.identity);
  if (found == new_nodes_.end())
    throw Error(
        ErrorCode::diverged,
        fmt::format("{}: another rank wrote to an object that this rank does not have", path()));
  return *found->second;
}

std::vector<Node*> FileState::dirty_stored_nodes() {
  std::vector<Node*> found;
  for (Node* node : dirty_nodes_)
    if (node->dirty && !node->is_new() && !node->removed) found.push_back(node);
  std::sort(found.begin(), found.end(),
            [](const Node* a, const Node* b) { return a->address < b->address; });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void FileState::note_dirty(Node& node) {
  if (!node.dirty) dirty_nodes_.push_back(&node);
  node.dirty = true;
  changes_.dirty = true;
}

void FileState::forget_changes() {
  dirty_nodes_.clear();
  nodes_in_file_ = nodes_.size();
  forget_identities();
}

Node& FileState::new_node(Node* parent, std::string_view name, ObjectKind kind) {
  log_.grow(kMemoryOfNewObject + name.size());
  return add_node(parent, name, ObjectHeader(arena_.memory()), Address{}, kind);
}

Node& FileState::add_node(Node* parent, std::string_view name, ObjectHeader header, Address address,
                          ObjectKind kind) {
  return nodes_.add(*this, parent, name, std::move(header), address, kind);
}

}  // namespace onecast
