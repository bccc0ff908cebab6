#pragma once

#include <cstddef>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::lifetime {

class Unlinking;

/// Returns true if the object was created without a link and no link leads to it yet, nor a dataset
/// or attribute that has it as its type.
bool is_anonymous(const Node& node);

/// Makes an object anonymous, with everything in it, if its last link is gone but handles lead to
/// it or to an object that would end with it. Returns false and changes nothing if that is
/// impossible: on several ranks, because each has its own handles; and, until the next flush, after
/// a call that found the disk full.
bool becomes_anonymous(Node& node, const Unlinking& unlinking);

/// Removes an anonymous object and everything that only it led to.
void drop_anonymous(Node& node);
/// Removes the anonymous objects from index `first` on in the order of creation.
void drop_anonymous_from(FileState& file, std::size_t first);

/// Removes, at a flush, the local anonymous objects, which no other rank can know, and those
/// without a handle on any rank to them or to an object in them; at the last flush, removes all.
/// @collective
void drop_anonymous(FileState& file);

/// Removes anonymous objects without a handle before the next flush, if the disk was full since the
/// last one: the file may need their space. Only for one process.
void make_room(FileState& file);

}  // namespace onecast::lifetime
