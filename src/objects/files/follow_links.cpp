#include "objects/files/follow_links.hpp"

#include <fmt/format.h>

#include "base/make_error.hpp"
#include "format/objects/link_message.hpp"
#include "objects/files/external_files.hpp"
#include "objects/files/external_paths.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/path.hpp"

namespace onecast::files {
namespace {

/// Follows one path and the links to which its links lead.
class Way {
 public:
  Node* follow(Node& group, LinkEntry& entry);
  Node* find(Node& start, std::string_view path);

 private:
  static constexpr unsigned kMostInARow = 16;
  static constexpr unsigned kMostInAll = 128;

  /// Returns the target of a link that is not a hard link.
  Node* follow_by_path(Node& group, const LinkMessage& link);
  Node* follow_external(const Node& group, const LinkMessage& link);

  unsigned depth_ = 0;  ///< the depth of links within links
  unsigned total_ = 0;
};

Node* Way::follow(Node& group, LinkEntry& entry) {
  const std::atomic_ref known(entry.node);
  if (Node* node = known.load(std::memory_order_acquire)) return node;
  const LinkMessage link = entry.message();
  switch (link.type) {
    case LinkType::hard: {
      KnownNodes& nodes = file_of(group).nodes();
      Node& node = nodes.at(link.object_header, &nodes.present(group), link.name);
      // An object must not lead to one that may be freed before it.
      if (node.generation() == nullptr || node.generation() == group.generation())
        known.store(&node, std::memory_order_release);
      return &node;
    }
    case LinkType::soft:
    case LinkType::external:
      return follow_by_path(group, link);
    default:
      throw unsupported_error(
          "{}: link \"{}\": not supported: a "
          "user-defined link",
          group.where(), link.name);
  }
}

Node* Way::follow_by_path(Node& group, const LinkMessage& link) {
  // Links in a row and links beside each other are both limited: paths of links to paths of links
  // grow without bounds.
  if (depth_ == kMostInARow || ++total_ > kMostInAll)
    throw not_found_error(
        "{}: link \"{}\": leads nowhere: more than {} links in a row, or {} in all", group.where(),
        link.name, kMostInARow, kMostInAll);
  ++depth_;
  Node* found =
      link.type == LinkType::soft ? find(group, link.soft_value) : follow_external(group, link);
  --depth_;
  return found;
}

Node* Way::follow_external(const Node& group, const LinkMessage& link) {
  const FileState& from = file_of(group);
  const auto value = decode<ExternalLinkValue>(link.user_data, group.address, from.store().file());
  require_following(from, fmt::format("{}: external link \"{}\" to", group.where(), link.name),
                    value.file_name);
  const FileState& file = *from.external_files()->open(from, value.file_name);
  return find(file.root(), value.object_path);
}

Node* Way::find(Node& start, std::string_view path) {
  FileState& file = file_of(start);
  file.require_open();
  Node* at = path.starts_with('/') ? &file.root() : &start;
  // After a refresh that failed, even the root is forgotten.
  if (at->is_forgotten()) file.nodes().recall(*at);
  for (auto name = next_name(path); !name.empty(); name = next_name(path)) {
    if (at->kind != ObjectKind::group) return nullptr;
    LinkEntry* entry = at->find_link(name);
    if (entry == nullptr) return nullptr;
    at = follow(*at, *entry);
    if (at == nullptr) return nullptr;
  }
  return at;
}

}  // namespace

Node* follow_new_link(Node& group, LinkEntry& entry) { return Way().follow(group, entry); }

Node* find_object(Node& start, std::string_view path) { return Way().find(start, path); }

}  // namespace onecast::files
