#include <fmt/format.h>

#include <atomic>

#include "format/objects/link_message.hpp"
#include "objects/memory/path.hpp"
#include "objects/tree/external_places.hpp"
#include "objects/tree/file_state.hpp"
#include "onecast/base/error.hpp"

/// Where links and paths lead to.
namespace onecast {

Node* FileState::follow(Node& group, LinkEntry& entry) {
  LinksFollowed followed;
  return follow(group, entry, followed);
}

Node* FileState::find(Node& start, std::string_view link_path) {
  LinksFollowed followed;
  return find(start, link_path, followed);
}

Node* FileState::follow(Node& group, LinkEntry& entry, LinksFollowed& followed) {
  const std::atomic_ref known(entry.node);
  if (Node* node = known.load(std::memory_order_acquire)) return node;
  const LinkMessage& link = entry.message;
  switch (link.type) {
    case LinkType::hard: {
      Node& node = node_at(link.object_header, &group, link.name);
      known.store(&node, std::memory_order_release);
      return &node;
    }
    case LinkType::soft:
    case LinkType::external: {
      // In a row, or one beside the other: paths of links to paths of links grow without bounds.
      if (followed.depth == kMostLinks.depth || ++followed.total > kMostLinks.total)
        throw Error(ErrorCode::format,
                    fmt::format("{}: link \"{}\": more than {} links in a row, or {} in all",
                                group.where(), link.name, kMostLinks.depth, kMostLinks.total));
      ++followed.depth;
      Node* found = link.type == LinkType::soft ? find(group, link.soft_value, followed)
                                                : follow_external(group, link, followed);
      --followed.depth;
      return found;
    }
    default:
      throw Error(ErrorCode::unsupported, fmt::format("{}: link \"{}\": not supported: a "
                                                      "user-defined link",
                                                      group.where(), link.name));
  }
}

Node* FileState::follow_external(const Node& group, const LinkMessage& link,
                                 LinksFollowed& followed) {
  const auto value = decode<ExternalLinkValue>(link.user_data, group.address, store_->file());
  require_following(*this, fmt::format("{}: external link \"{}\" to", group.where(), link.name),
                    value.file_name);
  FileState& file = *external_files()->open(*this, value.file_name);
  return file.find(file.root(), value.object_path, followed);
}

Node* FileState::find(Node& start, std::string_view link_path, LinksFollowed& followed) {
  require_open();
  Node* at = !link_path.empty() && link_path.front() == '/' ? root_ : &start;
  for (auto name = next_name(link_path); !name.empty(); name = next_name(link_path)) {
    if (at->kind != ObjectKind::group) return nullptr;
    LinkEntry* entry = at->find_link(name);
    if (entry == nullptr) return nullptr;
    at = at->file->follow(*at, *entry, followed);
    if (at == nullptr) return nullptr;
  }
  return at;
}

}  // namespace onecast
