#include "objects/nodes/local_edits.hpp"

#include <algorithm>

#include "objects/memory/digest.hpp"
#include "objects/nodes/call_log.hpp"
#include "objects/nodes/open_file.hpp"

namespace onecast::nodes {

void LocalEdits::enter() {
  if (depth_++ == 0) log_.pause(true);
}

void LocalEdits::leave() {
  if (--depth_ == 0) log_.pause(false);
}

LocalEdits::Holder& LocalEdits::holder(Node& node) {
  const auto [at, is_new] = holder_of_.try_emplace(&node, holders_.size());
  if (is_new) holders_.push_back({&node});
  return holders_[at->second];
}

void LocalEdits::add_link(Node& group, const LinkMessage& message, Node* target) {
  holder(group).links.push_back({message, target});
}

void LocalEdits::remove_link(Node& group, LinkEntry& entry) {
  if (entry.is_local)
    std::erase_if(holder(group).links,
                  [&](const Link& l) { return l.message.name == entry.name(); });
  group.links().remove(entry);
}

void LocalEdits::unlink(Node& first) {
  for (std::vector<Node*> left{&first}; !left.empty();) {
    Node& node = *left.back();
    left.pop_back();
    if (!node.is_local() || --node.local()->links > 0) continue;
    if (node.kind == ObjectKind::group)
      for (const LinkEntry& e : node.links().entries)
        if (!e.removed && e.node != nullptr) left.push_back(e.node);
    drop(node);
  }
}

void LocalEdits::drop(Node& node) {
  node.removed = true;
  node.be_gone();
  node.set_local(nullptr);
  node.set_waiting(nullptr);
  if (node.written) node.written->drop();
}

void LocalEdits::add_attribute(Node& object, const AttributeEntry* attribute,
                               const AttributeEntry* replaced) {
  auto& attributes = holder(object).attributes;
  if (replaced != nullptr) {
    attributes_.erase(replaced);
    *std::find(attributes.begin(), attributes.end(), replaced) = attribute;
  } else {
    attributes.push_back(attribute);
  }
  attributes_.insert(attribute);
}

void LocalEdits::remove_attribute(Node& object, const AttributeEntry* attribute) {
  std::erase(holder(object).attributes, attribute);
  attributes_.erase(attribute);
}

void LocalEdits::make_local(Node& node) {
  node.set_local(std::make_unique<LocalObject>());
  const auto rank = static_cast<std::uint64_t>(file_.comm().rank());
  node.creation_digest = Digest().add("local").add(rank).add(++created_).value();
}

void LocalEdits::make_anonymous(Node& node) {
  make_local(node);
  node.local()->links = 0;
  // The values of its attributes in the heap must be cleared even if no link is made.
  holder(file_.root());
}

void LocalEdits::clear() {
  holders_.clear();
  holder_of_.clear();
  attributes_.clear();
  packed_messages.clear();
  file_.new_blocks().forget_from(heap.first_place(file_.store().file()));
  heap.clear();
}

}  // namespace onecast::nodes
