#pragma once

#include <string_view>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

/// What this rank may look at and change inside independent(), and outside.
namespace onecast::tree {

/// Inside independent(), and the object is one that all ranks know: it may get links and
/// attributes, nothing else.
bool changes_locally(const Node& object);

/// Throws Error (state) unless this rank may make the call: inside independent() what it created
/// there since the last flush, outside what all ranks know. `call`: its name.
void require_changeable(const Node& object, const char* call);
/// Throws Error (state) unless this rank may add links and attributes to the object: inside
/// independent() always, outside to what all ranks know.
void require_addable(const Node& object, const char* call);
/// require_changeable() for a link in a group.
void require_changeable(const Node& group, const LinkEntry& link, const char* call);
/// Throws Error (state) inside independent().
void require_together(const FileState& file, const char* call);

/// The link of that name as far as the call that looks for it may know it.
LinkEntry* find_link(Node& group, std::string_view name);

}  // namespace onecast::tree
