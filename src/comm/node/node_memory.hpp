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

/// What ranks tell each other of their nodes, as numbers whose maxima count.
struct NodeHints {
  std::uint64_t node = 0;  ///< 1 + node_hint(), or 0
  std::uint64_t node_complement = 0;

  void be_on(std::optional<std::uint64_t> node_hint) {
    node = node_hint ? *node_hint + 1 : 0;
    node_complement = ~node;
  }
  [[nodiscard]] bool may_be_on_one_node() const { return node != 0 && node == ~node_complement; }
  /// Every rank knows its node, and not all are on one.
  [[nodiscard]] bool are_on_several_nodes() const {
    return node_complement != ~std::uint64_t{0} && node != ~node_complement;
  }
};

/// Returns the number of nodes. @collective if they are not known yet
std::size_t count_nodes(CommunicatorBackend& comm);

/// A file in memory that a rank offers to its node, and the number in the name of the file that the
/// first rank of the node offers.
struct OfferedFile {
  MemoryFile made;
  std::uint64_t number = 0;
};

/// Comes before a collective call after which the ranks of a node may share a file in memory, whose
/// size may follow later: rank 0 makes one if it expects that sharing `is_worth_it`. The first rank
/// of every other node does not know what rank 0 expects, so it always makes one if the nodes are
/// known, which takes microseconds. Other ranks of that node can find it by its number when the
/// call has met. @independent
OfferedFile offer_node_file(const CommunicatorBackend& comm, bool is_worth_it);

/// Finds the file of each node after that call. `first` is the offer of rank 0, and `mine` what
/// this rank has offered. If the nodes are known, or the ranks may be on one node, no message is
/// needed; otherwise their nodes are found out, and a barrier follows. @collective
NodeFile find_node_file(CommunicatorBackend& comm, const NodeOffer& first, OfferedFile mine,
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
/// nodes, which gets the first `bring` bytes of that of rank 0. Returns false, on all ranks, if any
/// rank cannot share memory with the others of its node, or if each node has one rank; then
/// `memory.bytes` is as before on rank 0, and useless on others. The memory is offered until
/// end_offer().
/// @collective
bool find_node_memory(CommunicatorBackend& comm, const FirstOffer& first, NodeMemory& memory,
                      std::size_t bring = 0);

}  // namespace onecast::comm
