#include "tree/tree.hpp"

#include <algorithm>
#include <exception>
#include <vector>

#include "grammar/failure.hpp"
#include "tree/values.hpp"

namespace onecast::cgns {

namespace {

constexpr float kLibraryVersion = 4.5F;
/// The first version that is raised. Older files have other numbers of elements and keep their
/// version.
constexpr float kFirstRaised = 3.1F;
constexpr std::string_view kVersionName = "CGNSLibraryVersion";
/// The number of bytes of small values that are brought; others are left in the file.
constexpr std::uint64_t kMostBrought = 64U << 20U;

/// True if the file may have small values that the open did not read. If the page list has no
/// extents, no other library has written to the file.
bool has_values_outside(const File& file) {
  if (file.communicator().size() == 1) return false;
  const MetadataReport report = file.metadata_report();
  // If metadata is not in memory, each rank would read it to find the values.
  if (!report.complete) return false;
  if (report.page_size == 0 || report.page_list_stale) return file.access() == Access::read_write;
  return report.extents != 0;
}

/// Returns the children of a node that are not damaged. A later lookup reports the others.
const std::vector<std::unique_ptr<Node>>& sound_children(Node& node) {
  static const std::vector<std::unique_ptr<Node>> kNone;
  try {
    return node.sound_children();
  } catch (const std::exception&) {
    return kNone;
  }
}

/// Returns the value if it is small and lies outside of the metadata.
std::optional<Dataset> value_outside(Node& node) {
  if (node.parent() == nullptr || node.label() == Label::DataArray) return {};
  try {
    auto data = node.data();
    if (!data || data->layout() == Layout::compact) return {};
    if (data->element_count() == 0) return {};  // other programs write it for no value
    if (!fits_header(data->element_count(), data->datatype().size())) return {};
    return data;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

Tree::Tree(File file, bool is_new, TreeOptions options)
    : file_(std::move(file)), options_(std::move(options)) {
  Group root = file_.root();
  if (is_new) {
    write_root(root);
  } else if (!root.contains(" hdf5version")) {
    throw Failure(file_.path() + " is HDF5, but no CGNS file: it has no dataset ' hdf5version'");
  }
  reversed_ = !root.contains(" version");
  root_ = std::make_unique<Node>(*this, nullptr, "", root);
  if (options_.version_node == VersionNode::plain) return;
  if (is_new) {
    create(*root_, std::string(kVersionName), Label::CGNSLibraryVersion,
           Value::number(options_.version));
    return;
  }
  if (has_values_outside(file_)) bring_values();
  const float found = version();
  if (static_cast<int>(found) > static_cast<int>(kLibraryVersion))
    throw failure(file_.path(), " is of version ", found,
                  " of CGNS, which is newer than this library knows");
  if (file_.access() == Access::read_write && found >= kFirstRaised)
    raise_version(options_.version);
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
  if (options_.existing == Existing::refuse || old->label_text() != label)
    throw Failure("there is a node of the name '" + name + "' already: " + old->path());
  tell_children_removed(*old);
  parent.group().remove(name);
}

Placement Tree::placement(std::string_view label, Storage storage) const {
  return {storage, label == text_of(Label::DataArray) ? options_.compression : 0};
}

Node& Tree::enter(Node& parent, Node* old, const std::string& name, Group group) {
  auto node = std::make_unique<Node>(*this, &parent, name, std::move(group));
  if (old == nullptr) return parent.add(std::move(node));
  Node& entered = *node;
  const auto replaced = parent.replace(*old, std::move(node));
  if (options_.on_replaced) options_.on_replaced(*replaced, entered);
  return entered;
}

Node& Tree::create(Node& parent, const std::string& name, std::string_view label,
                   const Value& value, Storage storage) {
  Node* old = nullptr;
  make_way(parent, name, label, old);
  return enter(parent, old, name,
               create_node(parent.group(), name, label, value, placement(label, storage)));
}

Node& Tree::create_link(Node& parent, const std::string& name, const LinkTarget& target) {
  if (Node* old = parent.find(name)) {
    if (options_.existing == Existing::refuse)
      throw Failure("there is a node of the name '" + name + "' already: " + old->path());
    remove(*old);
  }
  return enter(parent, nullptr, name, cgns::create_link(parent.group(), name, target));
}

void Tree::write_value(Node& node, const Value& value, Storage storage) {
  cgns::write_value(node.group(), value, placement(node.label_text(), storage));
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

void Tree::tell_children_removed(Node& node) {
  if (node.children_)
    for (const auto& child : node.children_->all) tell_removed(*child);
}

void Tree::tell_removed(Node& node) {
  tell_children_removed(node);
  if (options_.on_removed) options_.on_removed(node);
}

void Tree::for_each_value_outside(const std::function<bool(Node&, const Dataset&)>& each) {
  std::vector<Node*> waiting{root_.get()};
  while (!waiting.empty()) {
    Node& node = *waiting.back();
    waiting.pop_back();
    if (node.is_link()) continue;
    for (const auto& child : sound_children(node)) waiting.push_back(child.get());
    if (const auto data = value_outside(node); data && !each(node, *data)) return;
  }
}

void Tree::bring_values() {
  std::vector<ReadRequest> requests;
  std::vector<Node*> brought;
  std::uint64_t total = 0;
  for_each_value_outside([&](Node& node, const Dataset& data) {
    if (node.label() == Label::IndexArray)
      return true;  // a rank may write a part of it independently
    const std::uint64_t size = data.element_count() * data.datatype().size();
    total += size;
    if (total > kMostBrought) return false;
    node.brought = std::make_unique<std::vector<std::byte>>(size);
    brought.push_back(&node);
    requests.emplace_back(data, *node.brought, TransferRequest{.sharing = Sharing::trust});
    return true;
  });
  if (requests.empty()) return;
  try {
    file_.read_multi(requests);
  } catch (const Error& error) {
    // All ranks get the error. If a value cannot be read, a later lookup of it reports that.
    for (Node* node : brought) node->brought.reset();
    if (error.code() == ErrorCode::diverged) throw;
  }
}

std::size_t Tree::take_in_values() {
  std::size_t count = 0;
  for_each_value_outside([&](Node& node, const Dataset& data) {
    const ValueType type = node.type();
    if (!fits_header(data.element_count(), size_of(type))) return true;
    const auto bytes = read_value(node, type);
    write_value(node, {type, node.dims(), bytes});
    ++count;
    return true;
  });
  return count;
}

}  // namespace onecast::cgns
