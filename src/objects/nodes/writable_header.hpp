#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"
#include "structures/object_header.hpp"

namespace onecast::nodes {

/// Turns a stored object header into one that a flush can write in its place: of version 2, without
/// links and attributes, with nothing in pages. Its links and attributes must be decoded already.
/// Throws Error (unsupported), which begins with `where()`, if a message forbids changes.
void make_writable(ObjectHeader& header, const std::function<std::string()>& where,
                   const FileContext& file, Arena& arena);

/// Sets, replaces or removes the reference count message for `count` hard links.
void keep_reference_count(ObjectHeader& header, std::uint32_t count, const FileContext& file,
                          Arena& arena);

}  // namespace onecast::nodes
