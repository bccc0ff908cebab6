#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::chunks {

/// The bytes of consecutive elements, in several pieces of memory.
using Parts = std::span<const std::span<const std::byte>>;

/// Writes elements from `first` on of a one-dimensional, chunked dataset without filters, directly
/// from memory; chunks that are adjacent in the file are one write. Changes nothing and returns
/// false unless all chunks have their places. Does not communicate.
bool write_parts_in_place(Node& dataset, std::uint64_t first, std::uint64_t count, Parts parts);

}  // namespace onecast::chunks
