#pragma once

#include "objects/tree/node.hpp"

namespace onecast {

/// Turns the header of an object that is stored into what a flush can write in its place: version
/// 2, links and attributes left out, nothing of it in pages. Its links and attributes were looked
/// at. Throws Error (unsupported) if a message forbids that.
void make_writable(Node& node);

}  // namespace onecast
