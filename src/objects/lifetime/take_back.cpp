#include "objects/lifetime/take_back.hpp"

#include "objects/elements/lost_writes.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/lifetime/anonymous.hpp"
#include "objects/lifetime/release.hpp"
#include "objects/memory/packer.hpp"

namespace onecast::lifetime {
namespace {

void remove_new(Node& group, LinkEntry& entry) {
  Node& node = *entry.node;
  LocalEdits& local = file_of(group).local_edits();
  if (local.is_inside()) {
    local.remove_link(group, entry);
    return local.unlink(node);
  }
  group.edit();
  LinkTable& links = group.links();
  const std::uint64_t order = entry.creation_order();
  links.remove(entry);
  if (order + 1 == links.next_creation_order) links.next_creation_order = order;
  unlink(node);
}

bool is_empty(Node& group) {
  return group.is_new() && group.links().live == 0 && group.attribute_entries().empty();
}

}  // namespace

void take_back(Node& group, std::string_view name, std::uint64_t groups) {
  Node* above = &group;
  for (;;) {
    // A local object of this name is a different object.
    LinkEntry* entry = find_link(*above, name);
    if (entry != nullptr && entry->node != nullptr) remove_new(*above, *entry);
    if (groups-- == 0 || !is_empty(*above)) return;
    name = above->name;
    above = above->parent;
  }
}

void take_back_lost(FileState& file) {
  Packer mine;
  for (const LostWrite& lost : lost_writes(file)) {
    if (lost.created == nullptr || lost.created->removed || !lost.created->is_new()) continue;
    mine.number(lost.created->identity());
    mine.number(lost.groups);
  }
  for (const auto& bytes : file.comm().all_gather(mine.out))
    for (Unpacker u(bytes); !u.at_end();) {
      Node& created = file.nodes().of({true, u.number()});
      const std::uint64_t groups = u.number();
      if (created.removed) continue;
      if (created.parent == nullptr)
        drop_anonymous(created);
      else
        take_back(*created.parent, created.name, groups);
    }
}

}  // namespace onecast::lifetime
