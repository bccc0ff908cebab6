#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "comm/node/node_buffer.hpp"

namespace onecast::comm {

/// The offer of rank 0, as all ranks know it.
struct FirstOffer {
  NodeOffer offer;
  std::optional<std::uint64_t> node_hint;  ///< CommunicatorBackend::node_hint() of rank 0
};
static_assert(std::is_trivially_copyable_v<FirstOffer>);

/// Memory of one size on each node, which all of its ranks have found.
struct NodeMemory {
  NodeBuffer bytes;  ///< the memory, as this rank has it
  /// The memory as the first rank of another node than rank 0's writes it; empty on other ranks.
  NodeBuffer received;
  CommunicatorBackend* node = nullptr;     ///< the ranks of the node; null if there is one node
  CommunicatorBackend* leaders = nullptr;  ///< the first ranks of all nodes; null on other ranks

  /// Brings the bytes of rank 0's memory from `from` on to all nodes; all ranks of a node may read
  /// them when it returns. Nothing is to be done on one node. @collective
  void spread(CommunicatorBackend& comm, std::size_t from, std::size_t size);
};

/// Finds the memory that rank 0 offers, `memory.bytes` there, and makes such memory on all other
/// nodes. Returns false, on all ranks, if any rank cannot share memory with the others of its node,
/// or if each node has one rank; then `memory.bytes` is as before on rank 0, and useless on others.
/// @collective
bool find_node_memory(CommunicatorBackend& comm, const FirstOffer& first, NodeMemory& memory);

}  // namespace onecast::comm
