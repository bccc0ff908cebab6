#pragma once

#include <cstddef>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::storage {

class Unlinking;

/// Was it created without a link, and does none lead to it yet, nor a dataset or attribute whose
/// type it is?
bool is_anonymous(const Node& node);

/// Its last link is gone, but handles lead to it, or to something that would end with it: from now
/// on it is anonymous, with all that lies in it. False, and nothing happened, unless that can be:
/// on several ranks, of which each has handles of its own, handles say nothing; and after a call
/// that found no room on the disk, nothing is kept until the next flush.
bool becomes_anonymous(Node& node, const Unlinking& unlinking);

/// Removes an anonymous object, and all that only it led to.
void drop_anonymous(Node& node);
/// The last ones that were created.
void drop_anonymous_from(FileState& file, std::size_t first);

/// At a flush: removes the local ones, which no other rank can know, and those to which, or to an
/// object in which, no handle leads on any rank; at the last flush all. @collective
void drop_anonymous(FileState& file);

}  // namespace onecast::storage
