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

/// Returns the number of nodes. @collective if they are not known yet
int count_nodes(CommunicatorBackend& comm);

/// Finds one file in memory for the ranks of each node, whose size may follow later: the first rank
/// of a node makes it. `first` is that of rank 0, and `mine` is the file there. If the ranks may be
/// on one node, no message is needed; otherwise their nodes are found out, and one broadcast within
/// each node follows. @collective
NodeFile find_node_file(CommunicatorBackend& comm, const NodeOffer& first, MemoryFile mine,
                        bool may_be_one_node);

/// Memory of one size on each node, which all of its ranks have found.
struct NodeMemory {
  NodeBuffer bytes;
  CommunicatorBackend* node = nullptr;     ///< the ranks of the node; null if there is one node
  CommunicatorBackend* leaders = nullptr;  ///< the first ranks of all nodes; null on other ranks

  /// Brings the bytes of rank 0's memory from `from` on to all nodes; all ranks of a node may read
  /// them when it returns. Nothing is to be done on one node. @collective
  void spread(CommunicatorBackend& comm, std::size_t from, std::size_t size);
  /// No further rank looks for the memory.
  void end_offer() { bytes.end_offer(node == nullptr || node->size() > 1); }
};

/// Finds the memory that rank 0 offers, `memory.bytes` there, and makes such memory on all other
/// nodes. Returns false, on all ranks, if any rank cannot share memory with the others of its node,
/// or if each node has one rank; then `memory.bytes` is as before on rank 0, and useless on others.
/// The memory is offered until end_offer().
/// @collective
bool find_node_memory(CommunicatorBackend& comm, const FirstOffer& first, NodeMemory& memory);

}  // namespace onecast::comm
