#include "tree/node.hpp"

#include <algorithm>

#include "grammar/failure.hpp"
#include "tree/tree.hpp"

namespace onecast::cgns {

namespace {

constexpr std::size_t kFewChildren = 16;
constexpr std::size_t kMostLevels = 256;

/// True for zones, which the CGNS library sorts by name when it opens a file.
bool is_sorted_by_name(Label label) { return label == Label::Zone || label == Label::ParticleZone; }

}  // namespace

Node::Node(Tree& tree, Node* parent, std::string name, Group group)
    : tree_(&tree), parent_(parent), name_(std::move(name)), group_(std::move(group)) {
  if (cgns::is_link(group_)) {
    link_ = std::move(group_);
    group_ = Group();
    // A dangling link is a node without a label.
    const auto target = followed(link_);
    if (!target) return;
    group_ = *target;
  }
  label_ = label_of(text_attribute(group_, "label"));
}

std::string Node::label_text() const {
  if (label_ != Label::other) return std::string(text_of(label_));
  return group_.is_empty() ? std::string() : text_attribute(group_, "label");
}

ValueType Node::type() const { return group_.is_empty() ? ValueType::LK : type_of(group_); }

std::string Node::path() const {
  if (parent_ == nullptr) return "/";
  const std::string above = parent_->path();
  return above == "/" ? above + name_ : above + "/" + name_;
}

Group& Node::group() {
  if (group_.is_empty()) throw Failure(lost_text());
  return group_;
}

std::string Node::lost_text() const {
  const auto [file, target] = target_of(link_);
  return "the link " + path() + " leads to nothing: " + file + target;
}

std::optional<Dataset> Node::data() { return data_of(group()); }

Dims Node::dims() {
  const auto values = data();
  return values ? dims_of(*values, tree_->is_reversed()) : Dims{};
}

void Node::require_no_cycle() {
  std::size_t depth = 0;
  for (const Node* above = parent_; above != nullptr; above = above->parent_)
    if (++depth > kMostLevels || above->group_.same_object(group()))
      throw Failure(name_ + (depth > kMostLevels
                                 ? " lies too deep in the tree"
                                 : " leads back to " + above->path() + ", in which it lies"));
}

void Node::load_child(Children& children, const Link& link) {
  if (link.name.starts_with(' ') || link.kind != LinkKind::hard) return;
  if (group_.kind_of(link) != ObjectKind::group) return;
  auto child =
      std::make_unique<Node>(*tree_, this, std::string(link.name), group_.open_group(link));
  of_label(children, child->label()).push_back(child.get());
  children.has_lost |= child->group_.is_empty();
  children.all.push_back(std::move(child));
}

void Node::load() {
  require_no_cycle();
  auto children = std::make_unique<Children>();
  const auto damaged = [&](const std::exception& what) {
    children->damage.emplace_back(what.what());
    if (!children->first_damage) children->first_damage = std::current_exception();
  };
  for (const Link& link : group().links()) {
    try {
      load_child(*children, link);
    } catch (const Failure& failure) {
      damaged(failure);
    } catch (const Error& error) {
      damaged(error);
    }
  }
  for (auto& [label, nodes] : children->by_label)
    if (is_sorted_by_name(label))
      std::ranges::sort(nodes, {},
                        [](const Node* node) -> const std::string& { return node->name(); });
  children_ = std::move(children);
}

Node::Children& Node::looked_up() {
  if (!children_) load();
  return *children_;
}

Node::Children& Node::loaded() {
  Children& children = looked_up();
  if (children.first_damage) std::rethrow_exception(children.first_damage);
  return children;
}

Node::Nodes& Node::of_label(Children& children, Label label) {
  for (auto& [of, nodes] : children.by_label)
    if (of == label) return nodes;
  return children.by_label.emplace_back(label, Nodes{}).second;
}

const std::vector<std::unique_ptr<Node>>& Node::children() { return loaded().all; }

const std::vector<std::unique_ptr<Node>>& Node::sound_children() { return looked_up().all; }

const std::vector<std::string>& Node::damage() { return looked_up().damage; }

bool Node::may_have_many(Label label) const {
  if (parent_ == nullptr) return true;
  const auto* row = child_row(label_, label);
  return row != nullptr && row->many;
}

const Node::Nodes& Node::children(Label label) {
  static const Nodes kNone;
  for (const auto& [of, nodes] : loaded().by_label)
    if (of == label) return nodes;
  return kNone;
}

Node::Nodes Node::lost(Label label) {
  Nodes found;
  if (!loaded().has_lost || !may_have_many(label)) return found;
  for (const auto& child : loaded().all)
    if (child->group_.is_empty()) found.push_back(child.get());
  return found;
}

Node* Node::find(std::string_view name) {
  Children& children = loaded();
  if (children.all.size() <= kFewChildren) {
    for (const auto& child : children.all)
      if (child->name() == name) return child.get();
    return nullptr;
  }
  if (children.by_name.empty())
    for (const auto& child : children.all) children.by_name.emplace(child->name(), child.get());
  const auto found = children.by_name.find(name);
  return found == children.by_name.end() ? nullptr : found->second;
}

Node* Node::find(std::string_view name, Label label) {
  Node* found = find(name);
  return found != nullptr && found->label() == label ? found : nullptr;
}

Node& Node::add(std::unique_ptr<Node> child) {
  Children& children = loaded();
  Node& added = *child;
  of_label(children, added.label()).push_back(&added);
  if (!children.by_name.empty()) children.by_name.emplace(added.name(), &added);
  children.has_lost |= added.group_.is_empty();
  children.all.push_back(std::move(child));
  return added;
}

std::unique_ptr<Node> Node::replace(Node& old, std::unique_ptr<Node> child) {
  Children& children = loaded();
  std::ranges::replace(of_label(children, old.label()), &old, child.get());
  children.by_name.clear();
  auto slot = std::ranges::find(children.all, &old, &std::unique_ptr<Node>::get);
  std::swap(*slot, child);
  children.has_lost |= (*slot)->group_.is_empty();
  return child;
}

std::unique_ptr<Node> Node::take(Node& child) {
  Children& children = loaded();
  std::erase(of_label(children, child.label()), &child);
  children.by_name.clear();
  auto slot = std::ranges::find(children.all, &child, &std::unique_ptr<Node>::get);
  auto taken = std::move(*slot);
  children.all.erase(slot);
  return taken;
}

}  // namespace onecast::cgns
