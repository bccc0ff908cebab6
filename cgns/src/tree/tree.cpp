#include "tree/tree.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "grammar/failure.hpp"
#include "tree/values.hpp"

namespace onecast::cgns {

namespace {

constexpr float kLibraryVersion = 4.5F;
/// What every libcgns since 3.4 opens.
constexpr float kWrittenVersion = 3.4F;
/// Before it, elements had other numbers: such files keep their version.
constexpr float kFirstRaised = 3.1F;
constexpr std::string_view kVersionName = "CGNSLibraryVersion";
constexpr std::uint64_t kSmallValue = 64'000;  // as much as a header takes

}  // namespace

Tree::Tree(File file, bool is_new, Existing existing, Version version,
           std::function<void(Node&)> on_removed)
    : file_(std::move(file)), existing_(existing), on_removed_(std::move(on_removed)) {
  Group root = file_.root();
  if (is_new) {
    write_root(root);
  } else if (!root.contains(" hdf5version")) {
    throw Failure(file_.path() + " is HDF5, but no CGNS file: it has no dataset ' hdf5version'");
  }
  reversed_ = !root.contains(" version");
  root_ = std::make_unique<Node>(*this, nullptr, "", root);
  if (version == Version::plain) return;
  if (is_new) {
    create(*root_, std::string(kVersionName), Label::CGNSLibraryVersion,
           Value::number(kWrittenVersion));
    return;
  }
  const float found = this->version();
  if (static_cast<int>(found) > static_cast<int>(kLibraryVersion))
    throw Failure(file_.path() + " is of version " + std::to_string(found) +
                  " of CGNS, which is newer than this library knows");
  if (file_.access() == Access::read_write && found >= kFirstRaised) raise_version(kWrittenVersion);
}

float Tree::version() {
  const auto& versions = root_->children(Label::CGNSLibraryVersion);
  if (versions.empty()) return 3.2F;
  const auto numbers = read_numbers<float>(*versions.front());
  if (versions.size() != 1 || numbers.size() != 1 || versions.front()->type() != ValueType::R4)
    throw Failure(file_.path() + ": CGNSLibraryVersion is not one number of type R4");
  return numbers.front();
}

void Tree::raise_version(float version) {
  Node* node = root_->find(kVersionName);
  if (node == nullptr)
    create(*root_, std::string(kVersionName), Label::CGNSLibraryVersion, Value::number(version));
  else if (this->version() < version)
    write_value(*node, Value::number(version));
}

void Tree::make_way(Node& parent, const std::string& name, std::string_view label, Node*& old) {
  old = parent.find(name);
  if (old == nullptr) return;
  if (existing_ == Existing::refuse || old->label_text() != label)
    throw Failure("there is a node of the name '" + name + "' already: " + old->path());
  tell_removed(*old);
  parent.group().remove(name);
}

Node& Tree::enter(Node& parent, Node* old, const std::string& name, Group group) {
  auto node = std::make_unique<Node>(*this, &parent, name, std::move(group));
  if (old == nullptr) return parent.add(std::move(node));
  Node& entered = *node;
  parent.replace(*old, std::move(node));
  return entered;
}

Node& Tree::create(Node& parent, const std::string& name, std::string_view label,
                   const Value& value, Storage storage) {
  Node* old = nullptr;
  make_way(parent, name, label, old);
  return enter(parent, old, name, create_node(parent.group(), name, label, value, storage));
}

Node& Tree::create_link(Node& parent, const std::string& name, const LinkTarget& target) {
  if (Node* old = parent.find(name)) {
    if (existing_ == Existing::refuse)
      throw Failure("there is a node of the name '" + name + "' already: " + old->path());
    remove(*old);
  }
  return enter(parent, nullptr, name, cgns::create_link(parent.group(), name, target));
}

void Tree::write_value(Node& node, const Value& value, Storage storage) {
  cgns::write_value(node.group(), value, storage);
  node.brought.reset();
  node.derived.reset();
}

void Tree::copy_value(Node& node, ValueType type, const Dataset& data) {
  cgns::copy_value(node.group(), type, data);
  node.brought.reset();
}

void Tree::remove(Node& node) {
  if (node.parent() == nullptr) throw Failure("the root cannot be removed");
  tell_removed(node);
  Node& parent = *node.parent();
  parent.group().remove(node.name());
  parent.take(node);
}

void Tree::set_label(Node& node, std::string_view label) {
  write_label(node.own_group(), label);
  Node::Children* around = node.parent() != nullptr ? node.parent()->children_.get() : nullptr;
  if (around != nullptr) std::erase(Node::of_label(*around, node.label_), &node);
  node.label_ = label_of(label);
  if (around != nullptr) Node::of_label(*around, node.label_).push_back(&node);
}

void Tree::move(Node& node, Node& parent, const std::string& name) {
  if (node.parent() == nullptr) throw Failure("the root cannot be moved");
  if (Node* there = parent.find(name))
    throw Failure("there is a node of the name '" + name + "' already: " + there->path());
  for (const Node* above = &parent; above != nullptr; above = above->parent())
    if (above == &node) throw Failure(node.path() + " cannot be moved below itself");
  if (!parent.group().in_file_of(node.parent()->group()))
    throw Failure(parent.path() + " lies in another file than " + node.path());
  const std::string to = parent.group().path();
  node.parent()->group().move(node.name(), (to == "/" ? to : to + "/") + name);
  auto taken = node.parent()->take(node);
  write_name(node.own_group(), name);
  node.name_ = name;
  node.parent_ = &parent;
  parent.add(std::move(taken));
}

void Tree::tell_removed(Node& node) {
  if (node.children_)
    for (const auto& child : node.children_->all) tell_removed(*child);
  if (on_removed_) on_removed_(node);
}

void Tree::for_each_value_outside(const std::function<void(Node&, const Dataset&)>& each) {
  std::vector<Node*> waiting{root_.get()};
  while (!waiting.empty()) {
    Node& node = *waiting.back();
    waiting.pop_back();
    if (node.is_link()) continue;
    for (const auto& child : node.children()) waiting.push_back(child.get());
    if (node.parent() == nullptr || node.label() == Label::DataArray) continue;
    const auto data = node.data();
    if (!data || data->layout() == Layout::compact) continue;
    if (data->element_count() <= kSmallValue / data->datatype().size()) each(node, *data);
  }
}

void Tree::bring_values() {
  std::vector<ReadRequest> requests;
  for_each_value_outside([&](Node& node, const Dataset& data) {
    node.brought =
        std::make_unique<std::vector<std::byte>>(data.element_count() * data.datatype().size());
    requests.emplace_back(data, *node.brought, TransferRequest{.sharing = Sharing::serve});
  });
  if (!requests.empty()) file_.read_multi(requests);
}

std::size_t Tree::take_in_values() {
  std::size_t count = 0;
  for_each_value_outside([&](Node& node, const Dataset& data) {
    const ValueType type = node.type();
    if (data.element_count() * size_of(type) > kSmallValue) return;
    const auto bytes = read_value(node, type);
    write_value(node, {type, node.dims(), bytes});
    ++count;
  });
  return count;
}

}  // namespace onecast::cgns
