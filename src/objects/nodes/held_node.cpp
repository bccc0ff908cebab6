#include "objects/nodes/held_node.hpp"

#include <utility>

#include "objects/nodes/generation.hpp"
#include "objects/nodes/open_file.hpp"

namespace onecast::nodes {
namespace {

/// Counts one handle with all its copies while any of them exists.
class HeldNode {
 public:
  HeldNode(std::shared_ptr<const void> keeps, Node& node) : keeps_(std::move(keeps)), node_(node) {
    node.handles.fetch_add(1, std::memory_order_relaxed);
  }
  HeldNode(const HeldNode&) = delete;
  HeldNode& operator=(const HeldNode&) = delete;
  ~HeldNode() { node_.handles.fetch_sub(1, std::memory_order_release); }

 private:
  std::shared_ptr<const void> keeps_;
  Node& node_;
};

/// Keeps a generation while a handle leads to one of its objects.
struct HeldGeneration {
  std::shared_ptr<const void> keeps;
  std::shared_ptr<const Generation> generation;  ///< freed first, as it refers to the file
};

}  // namespace

std::shared_ptr<Node> held(std::shared_ptr<const void> keeps, Node& node) {
  if (node.prefixes() != nullptr) keeps = node.hold_prefixes(std::move(keeps));
  if (Generation* of = node.generation())
    return {std::make_shared<HeldGeneration>(std::move(keeps), of->shared_from_this()), &node};
  if (!node.home().forgets()) return {std::move(keeps), &node};
  return {std::make_shared<HeldNode>(std::move(keeps), node), &node};
}

}  // namespace onecast::nodes
