#include "objects/nodes/known_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "objects/nodes/open_file.hpp"
#include "onecast/base/error.hpp"
#include "structures/object_contents.hpp"

namespace onecast::nodes {
namespace {

ObjectKind kind_of(const ObjectHeader& header) {
  if (is_group(header)) return ObjectKind::group;
  if (header.find(MessageType::data_layout) != nullptr) return ObjectKind::dataset;
  if (header.find(MessageType::datatype) != nullptr) return ObjectKind::datatype;
  return ObjectKind::group;
}

}  // namespace

Node& KnownNodes::at(Address address, Node* parent, std::string_view name) {
  Node** known_at = nullptr;
  Node* known = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    register_addresses();
    known_at = &nodes_.at(address);
    known = *known_at;
    // The committed datatype of another object is found without a path.
    if (known != nullptr && file_.access() == Access::read_write && known->parent == nullptr &&
        known != &file_.root()) {
      known->parent = parent;
      known->name = name;
    }
  }
  if (known != nullptr) {
    recall(*known);
    return *known;
  }
  // Another thread may read the object at the same time: the first node is kept.
  ObjectHeader header = read_object_header(file_.structures(), address, file_.arena().memory());
  const ObjectKind kind = kind_of(header);
  const std::scoped_lock lock(mutex_);
  if (*known_at == nullptr) *known_at = &add(parent, name, std::move(header), address, kind);
  return **known_at;
}

Node* KnownNodes::known(Address address) {
  Node* known = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    register_addresses();
    known = nodes_.find(address);
  }
  if (known != nullptr) recall(*known);
  return known;
}

Node& KnownNodes::of(const NodeId& id) {
  // The path is unknown until a call reaches the object through links.
  if (!id.is_new) return at(Address{id.identity}, nullptr, {});
  for (; nodes_in_new_nodes_ < nodes_.size(); ++nodes_in_new_nodes_)
    if (Node& node = nodes_[nodes_in_new_nodes_]; node.is_new())
      new_nodes_.emplace(node.creation_digest, &node);
  const auto found = new_nodes_.find(id.identity);
  if (found == new_nodes_.end())
    throw Error(ErrorCode::diverged,
                fmt::format("{}: another rank wrote to an object that this rank does not have",
                            file_.path()));
  return *found->second;
}

void KnownNodes::recall(Node& node) {
  if (!node.is_forgotten()) return;
  const std::scoped_lock lock(recalling_);
  if (!node.is_forgotten() || node.gone || !file_.is_open()) return;
  node.recall(read_object_header(file_.structures(), node.address, file_.arena().memory()));
}

void KnownNodes::look_at_datasets() {
  for (; nodes_looked_at_ < nodes_.size(); ++nodes_looked_at_)
    nodes_[nodes_looked_at_].look_ahead();
}

Node& KnownNodes::add_new(Node* parent, std::string_view name, ObjectKind kind) {
  return add(parent, name, ObjectHeader(file_.arena().memory()), Address{}, kind);
}

void KnownNodes::enter(Node& node) {
  // An object at this address may have been removed; register pending addresses first.
  register_addresses();
  nodes_.at(node.header.first.address) = &node;
}

void KnownNodes::forget_identities() {
  new_nodes_.clear();
  nodes_in_new_nodes_ = nodes_in_file_;
}

void KnownNodes::note_dirty(Node& node) {
  if (!node.dirty) dirty_nodes_.push_back(&node);
  node.dirty = true;
}

std::vector<Node*> KnownNodes::dirty_stored() {
  std::vector<Node*> found;
  for (Node* node : dirty_nodes_)
    if (node->dirty && !node->is_new() && !node->removed) found.push_back(node);
  std::sort(found.begin(), found.end(),
            [](const Node* a, const Node* b) { return a->address < b->address; });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void KnownNodes::forget_changes() {
  dirty_nodes_.clear();
  nodes_in_file_ = nodes_.size();
  forget_identities();
}

std::vector<Node*> KnownNodes::held(const std::vector<Node*>& others) {
  const std::uint64_t mark = next_walk();
  std::vector<Node*> held;
  const auto hold = [&](Node* node) {
    for (; node != nullptr && node->walk_mark != mark; node = node->parent) {
      node->walk_mark = mark;
      held.push_back(node);
    }
  };
  hold(&file_.root());
  for (Node* node : others) hold(node);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].handles.load(std::memory_order_acquire) != 0) hold(&nodes_[i]);
  return held;
}

void KnownNodes::keep_only(const std::vector<Node*>& held) {
  register_addresses();
  const std::uint64_t mark = walks_;
  nodes_.keep([mark](const Node& node) { return node.walk_mark == mark; });
  for (Node* node : held) {
    node->forget();
    if (!node->is_new() && !node->removed) nodes_.at(node->address) = node;
  }
  nodes_in_file_ = nodes_in_new_nodes_ = nodes_looked_at_ = nodes_.size();
  new_nodes_.clear();
  dirty_nodes_.clear();
  all_known_ = false;
}

void KnownNodes::expect(std::size_t more) {
  const std::scoped_lock lock(mutex_);
  nodes_.expect(more);
}

void KnownNodes::register_addresses() {
  for (Node* node : unregistered_) nodes_.at(node->address) = node;
  unregistered_.clear();
}

Node& KnownNodes::add(Node* parent, std::string_view name, ObjectHeader&& header, Address address,
                      ObjectKind kind) {
  return nodes_.add(file_, parent, name, std::move(header), address, kind);
}

}  // namespace onecast::nodes
