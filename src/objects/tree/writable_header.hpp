#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"
#include "structures/object_header.hpp"

namespace onecast::tree {

/// Turns the header of an object that is stored into what a flush can write in its place: version
/// 2, links and attributes left out, nothing of it in pages. Its links and attributes were looked
/// at. Throws Error (unsupported), which begins with `where()`, if a message forbids that.
void make_writable(ObjectHeader& header, const std::function<std::string()>& where,
                   const FileContext& file, Arena& arena);

/// So many hard links lead to the object: the message that says so, if it has to be said.
void keep_reference_count(ObjectHeader& header, std::uint32_t count, const FileContext& file,
                          Arena& arena);

}  // namespace onecast::tree
