#pragma once

#include <string_view>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

/// Rules for what this rank may look up and change inside independent() and outside.
namespace onecast::files {

/// Returns true inside independent() if all ranks know the object: it may get links and attributes,
/// but nothing else.
bool changes_locally(const Node& object);

/// Throws Error (state) unless this rank may change the object with `call`: inside independent() it
/// must have created the object there since the last flush; outside, all ranks must know it.
void require_changeable(const Node& object, const char* call);
/// Throws Error (state) unless this rank may add links and attributes to the object: inside
/// independent() always; outside, if all ranks know it.
void require_addable(const Node& object, const char* call);
/// Does what require_changeable() does for an object, for a link in a group.
void require_changeable(const Node& group, const LinkEntry& link, const char* call);
/// Throws Error (state) inside independent().
void require_together(const FileState& file, const char* call);

/// Returns the link of that name if the present call may see it, else null.
LinkEntry* find_link(Node& group, std::string_view name);

}  // namespace onecast::files
