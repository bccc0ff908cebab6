#include "comm/node/node_memory.hpp"

#include <algorithm>
#include <exception>
#include <span>

namespace onecast::comm {
namespace {

bool all_have(CommunicatorBackend& comm, const NodeBuffer& buffer) {
  std::uint64_t have = buffer.empty() ? 0 : 1;
  comm.all_reduce_min({&have, 1});
  return have != 0;
}

bool find_on_one_node(CommunicatorBackend& comm, const FirstOffer& first, NodeBuffer& bytes) {
  if (comm.rank() != 0 && comm.node_hint() == first.node_hint)
    bytes = NodeBuffer::find(first.offer);
  return all_have(comm, bytes);
}

/// The first rank of each node makes memory, and the others of its node find it.
bool find_on_each_node(CommunicatorBackend& comm, const FirstOffer& first, NodeMemory& memory) {
  CommunicatorBackend& node = comm.ranks_of_node();
  memory.leaders = comm.leaders();
  memory.node = &node;
  NodeOffer offer = first.offer;
  if (comm.rank() != 0 && memory.leaders != nullptr) {
    try {
      memory.received = NodeBuffer::to_share(static_cast<std::size_t>(first.offer.size));
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): then there is no offer
    }
    offer = memory.received.offer();
  }
  const std::uint64_t before = node.collectives();
  node.broadcast(std::as_writable_bytes(std::span(&offer, 1)), 0);
  comm.count_collectives(node.collectives() - before);
  if (comm.rank() != 0) memory.bytes = NodeBuffer::find(offer);
  return all_have(comm, memory.bytes);
}

int count_nodes(CommunicatorBackend& comm) { return *std::ranges::max_element(comm.nodes()) + 1; }

}  // namespace

bool find_node_memory(CommunicatorBackend& comm, const FirstOffer& first, NodeMemory& memory) {
  if (!first.offer.is_made()) return false;
  // Finding out the nodes takes messages, which are not needed if all ranks are on one node.
  bool found = (!comm.knows_nodes() || count_nodes(comm) == 1) &&
               find_on_one_node(comm, first, memory.bytes);
  if (!found) {
    const int nodes = count_nodes(comm);
    found = nodes > 1 && nodes < comm.size() && find_on_each_node(comm, first, memory);
  }
  if (found) memory.bytes.end_offer(memory.node == nullptr || memory.node->size() > 1);
  return found;
}

void NodeMemory::spread(CommunicatorBackend& comm, std::size_t from, std::size_t size) {
  if (node == nullptr) return;
  const auto count = [&] {
    return node->collectives() + (leaders != nullptr ? leaders->collectives() : 0);
  };
  const std::uint64_t before = count();
  if (leaders != nullptr)
    leaders->broadcast((comm.rank() == 0 ? bytes : received).span().subspan(from, size), 0);
  node->barrier();
  comm.count_collectives(count() - before);
}

}  // namespace onecast::comm
