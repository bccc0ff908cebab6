#include "objects/copy/equal_types.hpp"

#include <deque>
#include <unordered_set>

#include "objects/files/committed_types.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/follow_links.hpp"

namespace onecast::copy {

Node* EqualTypes::find(const Datatype& type) {
  if (!types_) collect();
  for (Node* known : *types_)
    if (datatype_of(*known) == type) return known;
  return nullptr;
}

void EqualTypes::collect() {
  types_.emplace();
  std::deque<Node*> left{&file_.root()};
  std::unordered_set<const Node*> seen{left.front()};
  for (; !left.empty(); left.pop_front()) {
    Node& node = *left.front();
    if (node.kind == ObjectKind::datatype) types_->push_back(&node);
    if (node.kind != ObjectKind::group) continue;
    for (LinkEntry& link : node.links().entries) {
      if (link.removed || link.is_local || link.type() != LinkType::hard) continue;
      Node* child = follow_link(node, link);
      if (child != nullptr && seen.insert(child).second) left.push_back(child);
    }
  }
}

}  // namespace onecast::copy
