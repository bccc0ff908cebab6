#pragma once

#include <vector>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "pages/file_range.hpp"

namespace onecast::storage {

/// What a hard link leads to; null of other links, and where the object is damaged: that is no
/// reason to keep the link.
Node* sound_target(Node& group, LinkEntry& entry);

/// One hard link less leads to the object. With the last its space, and that of all that only it
/// led to, is free once a flush has succeeded; until then handles of it work.
void unlink(Node& node);

/// Where the object's links, or its attributes, lie in the file beside its header: dense, or in a
/// symbol table. Nothing of a new object, nor of what is damaged.
std::vector<FileRange> stored_links(const Node& node);
std::vector<FileRange> stored_attributes(const Node& node);

}  // namespace onecast::storage
