#include "objects/lifetime/anonymous.hpp"

#include <cstdint>
#include <exception>
#include <unordered_set>
#include <utility>
#include <vector>

#include "objects/elements/lost_writes.hpp"
#include "objects/files/file_state.hpp"
#include "objects/lifetime/release.hpp"
#include "objects/nodes/reference_count.hpp"
#include "onecast/base/error.hpp"

namespace onecast::lifetime {

bool is_anonymous(const Node& node) {
  if (node.removed) return false;
  return node.is_local() ? node.local()->links == 0 : reference_count(node) == 0;
}

namespace {

/// True if the disk was full for a call since the last flush.
bool lacks_room(FileState& file) {
  bool& lacks = file.changes().lacks_room;
  lacks = file.transport().take_lack_of_room() || lacks;
  return lacks;
}

}  // namespace

bool becomes_anonymous(Node& node, const Unlinking& unlinking) {
  FileState& file = file_of(node);
  if (!file.comm().is_self() || !unlinking.takes_held_objects()) return false;
  // If the disk is full, removing an object must free its space.
  if (lacks_room(file)) return false;
  try {
    set_reference_count(node, 0);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;  // its form cannot be written
    return false;
  }
  file.note_moved(node);
  node.parent = nullptr;
  node.name = {};
  file.changes().anonymous.push_back(&node);
  return true;
}

void drop_anonymous(Node& node) {
  FileState& file = file_of(node);
  if (node.is_local()) {
    node.local()->links = 1;
    return file.local_edits().unlink(node);
  }
  unlink(node);
  file.changes().dirty = true;
}

void drop_anonymous_from(FileState& file, std::size_t first) {
  std::vector<Node*>& all = file.changes().anonymous;
  for (; all.size() > first; all.pop_back())
    if (is_anonymous(*all.back())) drop_anonymous(*all.back());
}

namespace {

/// Takes off the list the objects that got a link or are gone. Reads nothing: objects that were
/// forgotten since the last flush have not changed.
void take_off_others(std::vector<Node*>& anonymous) {
  std::erase_if(anonymous,
                [](const Node* node) { return !node->is_forgotten() && !is_anonymous(*node); });
}

/// Returns, for each anonymous object, 1 if any rank has a handle to it or to an object in it.
std::vector<std::uint64_t> find_held(FileState& file) {
  const std::vector<Node*> mine = file.nodes().held();
  const std::unordered_set<const Node*> held(mine.begin(), mine.end());
  std::vector<std::uint64_t> found;
  for (const Node* node : file.changes().anonymous) found.push_back(held.contains(node) ? 1 : 0);
  file.comm().all_reduce_max(found);
  return found;
}

/// Removes the objects. An object that cannot be read on one rank fails this and later flushes on
/// all ranks: the others have freed what this rank did not.
void drop_all(FileState& file, const std::vector<Node*>& unneeded) {
  file.changes().dirty = true;
  try {
    for (Node* node : unneeded) {
      file.nodes().recall(*node);
      if (is_anonymous(*node)) drop_anonymous(*node);
    }
  } catch (const Error&) {
    lose_for_good(file, std::current_exception());
  }
}

/// Takes the objects off the list to which no rank has a handle, and returns them. @collective
std::vector<Node*> take_unheld(FileState& file) {
  std::vector<Node*>& all = file.changes().anonymous;
  const std::vector<std::uint64_t> held = find_held(file);
  std::vector<Node*> kept;
  std::vector<Node*> unneeded;
  for (std::size_t i = 0; i < all.size(); ++i) (held[i] != 0 ? kept : unneeded).push_back(all[i]);
  all = std::move(kept);
  return unneeded;
}

}  // namespace

void drop_anonymous(FileState& file) {
  std::vector<Node*>& all = file.changes().anonymous;
  for (Node* node : all)
    if (node->is_local() && is_anonymous(*node)) drop_anonymous(*node);
  take_off_others(all);
  if (all.empty()) return;
  std::vector<Node*> unneeded;
  if (file.changes().ends_writing)
    unneeded.swap(all);
  else
    unneeded = take_unheld(file);
  if (!unneeded.empty()) drop_all(file, unneeded);
}

void make_room(FileState& file) {
  if (!file.comm().is_self() || file.local_edits().is_inside() || !lacks_room(file)) return;
  take_off_others(file.changes().anonymous);
  if (const auto unneeded = take_unheld(file); !unneeded.empty()) drop_all(file, unneeded);
}

}  // namespace onecast::lifetime
