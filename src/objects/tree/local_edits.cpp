#include "objects/tree/local_edits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "objects/tree/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

[[noreturn]] void refuse(const std::string& where, const char* call, const char* why) {
  throw Error(ErrorCode::state, fmt::format("{}: {}: {}", where, call, why));
}

constexpr const char* kOwnOnly =
    "inside independent() a rank can change only what it created there since the last flush";
constexpr const char* kUnknown =
    "this rank created it inside independent(): the others do not know it before the next flush";

}  // namespace

void LocalEdits::enter() {
  if (depth_++ == 0) file_.log().pause(true);
}

void LocalEdits::leave() {
  if (--depth_ == 0) file_.log().pause(false);
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
                  [&](const Link& l) { return l.message.name == entry.message.name; });
  group.links().remove(entry);
}

void LocalEdits::unlink(Node& first) {
  for (std::vector<Node*> left{&first}; !left.empty();) {
    Node& node = *left.back();
    left.pop_back();
    if (!node.is_local() || --node.local->links > 0) continue;
    if (node.kind == ObjectKind::group)
      for (const LinkEntry& e : node.links().entries)
        if (!e.removed && e.node != nullptr) left.push_back(e.node);
    drop_local(node);
  }
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
  node.local = std::make_unique<LocalObject>();
  const auto rank = static_cast<std::uint64_t>(file_.comm().rank());
  node.creation_digest = Digest().add("local").add(rank).add(++created_).value();
}

void LocalEdits::make_anonymous(Node& node) {
  make_local(node);
  node.local->links = 0;
  // What its attributes leave in the heap has to be cleared, even if no link is made.
  holder(file_.root());
}

void LocalEdits::clear() {
  holders_.clear();
  holder_of_.clear();
  attributes_.clear();
  unsettled.clear();
  file_.new_blocks().forget_from(heap.first_place(file_.store().file()));
  heap.clear();
}

void drop_local(Node& node) {
  node.removed = true;
  node.be_gone();
  node.local.reset();
  if (node.edited_chunks) node.file->rooms().drop_chunks(node);
}

bool changes_locally(const Node& object) {
  return object.file->local_edits().is_inside() && !object.is_local();
}

void require_addable(const Node& object, const char* call) {
  if (!object.file->local_edits().is_inside() && object.is_local())
    refuse(object.where(), call, kUnknown);
}

void require_changeable(const Node& object, const char* call) {
  require_addable(object, call);
  if (changes_locally(object)) refuse(object.where(), call, kOwnOnly);
}

void require_changeable(const Node& group, const LinkEntry& link, const char* call) {
  require_addable(group, call);
  if (changes_locally(group) && !link.is_local)
    refuse(fmt::format("{}: link \"{}\"", group.where(), link.message.name), call, kOwnOnly);
}

void require_together(const FileState& file, const char* call) {
  if (file.local_edits().is_inside())
    refuse(file.path(), call, "inside independent(), but only all ranks together can do that");
}

LinkEntry* find_link(Node& group, std::string_view name) {
  LinkEntry* entry = group.find_link(name);
  return entry != nullptr && entry->is_local && !group.file->local_edits().is_inside() ? nullptr
                                                                                       : entry;
}

}  // namespace onecast
