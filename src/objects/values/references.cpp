#include "objects/values/references.hpp"

#include <fmt/format.h>

#include <deque>
#include <unordered_set>

#include "objects/files/external_files.hpp"
#include "objects/files/external_paths.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/follow_links.hpp"
#include "onecast/base/error.hpp"
#include "onecast/objects/group.hpp"
#include "onecast/objects/reference.hpp"

namespace onecast {

using namespace values;

namespace {

/// Looks up every object to which hard links lead, breadth first, so that each gets its shortest
/// path.
void know_all(FileState& file) {
  if (file.nodes().all_known()) return;
  std::deque<Node*> groups{&file.root()};
  std::unordered_set<const Node*> seen{&file.root()};
  while (!groups.empty()) {
    Node& group = *groups.front();
    groups.pop_front();
    try {
      for (LinkEntry& entry : group.links().entries) {
        if (entry.removed || entry.type() != LinkType::hard) continue;
        Node* child = follow_link(group, entry);
        if (child->kind == ObjectKind::group && seen.insert(child).second) groups.push_back(child);
      }
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): damaged objects are skipped
    }
  }
  file.nodes().all_known() = file.access() == Access::read_only;
}

FileState& file_named_by(FileState& from, const Reference& reference) {
  from.require_open();
  if (reference.file.empty()) return from;
  require_following(from, from.path() + ": reference to an object in", reference.file);
  return *from.external_files()->open(from, reference.file);
}

Node& node_of(Node& start, const Reference& reference) {
  FileState& file = file_named_by(file_of(start), reference);
  if (!reference.address)
    throw Error(ErrorCode::not_found, file.path() + ": the reference was never set");
  return referenced_node(file, Address{*reference.address});
}

}  // namespace

Node& values::referenced_node(FileState& file, Address address) {
  if (Node* known = file.nodes().known(address)) {
    if (known->removed)
      throw Error(ErrorCode::not_found, known->where() + ": was removed from the file");
    return *known;
  }
  know_all(file);
  return file.nodes().at(address, nullptr, {});
}

ObjectKind Group::kind_of(const Reference& reference) const {
  return node_of(*node_, reference).kind;
}

Group Group::open_group(const Reference& reference) const {
  Node& node = node_of(*node_, reference);
  node.require_kind(ObjectKind::group);
  return Group(handle_from(node_, node));
}

Dataset Group::open_dataset(const Reference& reference) const {
  Node& node = node_of(*node_, reference);
  node.require_kind(ObjectKind::dataset);
  return Dataset(handle_from(node_, node));
}

Object Group::open_object(const Reference& reference) const {
  Node& node = node_of(*node_, reference);
  return Object(handle_from(node_, node));
}

}  // namespace onecast
