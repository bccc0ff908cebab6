#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/extent_list.hpp"
#include "comm/backend.hpp"
#include "transport/transport.hpp"

namespace onecast::collective {

/// Writes each piece by its own call; small pieces that touch are joined.
void write_directly(Transport& file, const ExtentList& extents, const OutBuffers& bytes);

/// Reads pieces that are close to each other by one call; bytes beyond the end of the file are
/// zeros.
void read_directly(Transport& file, const ExtentList& extents, const InBuffers& bytes);

/// Extents split into whole stripes and the rest.
struct SplitExtents {
  ExtentList whole;
  ExtentList edges;
};
SplitExtents split_at_stripes(const ExtentList& extents, std::uint64_t stripe_size);

/// Copies the pieces of rank 0 to all other ranks, through `memory`, which has the same size on all
/// ranks. @collective
void broadcast_pieces(CommunicatorBackend& comm, const ExtentList& extents, const InBuffers& bytes,
                      std::span<std::byte> memory);

}  // namespace onecast::collective
