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

/// Every piece by a call of its own, but small ones that touch by one.
void write_directly(Transport& file, const ExtentList& extents, const OutBuffers& bytes);

/// Pieces close to each other by one call; what lies behind the end of the file is zeros.
void read_directly(Transport& file, const ExtentList& extents, const InBuffers& bytes);

/// What of `extents` makes up whole stripes, and the rest.
struct SplitExtents {
  ExtentList whole;
  ExtentList edges;
};
SplitExtents split_at_stripes(const ExtentList& extents, std::uint64_t stripe_size);

/// The pieces of rank 0 to those of all others, by way of `memory`, which is as large everywhere.
/// @collective
void broadcast_pieces(CommunicatorBackend& comm, const ExtentList& extents, const InBuffers& bytes,
                      std::span<std::byte> memory);

}  // namespace onecast::collective
