#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::storage {

/// Bytes of elements, one behind the other, in several pieces of memory.
using Parts = std::span<const std::span<const std::byte>>;

/// Writes elements from `first` on of a chunked dataset with one dimension, whose chunks have no
/// filters: from memory to the file, chunks that touch there by one write. If not all chunks have
/// their places, it changes nothing and returns false. Does not communicate.
bool write_parts_in_place(Node& dataset, std::uint64_t first, std::uint64_t count, Parts parts);

}  // namespace onecast::storage
