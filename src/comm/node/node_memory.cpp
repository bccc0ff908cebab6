#include "comm/node/node_memory.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <utility>

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
  const bool makes = comm.rank() != 0 && memory.leaders != nullptr;
  if (makes) {
    memory.bytes = NodeBuffer::in(MemoryFile::make(), static_cast<std::size_t>(first.offer.size));
    try {
      memory.bytes.seal();
    } catch (const std::bad_alloc&) {
      memory.bytes = {};
    }
    offer = memory.bytes.offer();
  }
  const std::uint64_t before = node.collectives();
  node.broadcast(std::as_writable_bytes(std::span(&offer, 1)), 0);
  comm.count_collectives(node.collectives() - before);
  if (makes && !offer.is_made()) memory.bytes = {};
  if (comm.rank() != 0 && !makes) memory.bytes = NodeBuffer::find(offer);
  return all_have(comm, memory.bytes);
}

}  // namespace

int count_nodes(CommunicatorBackend& comm) { return *std::ranges::max_element(comm.nodes()) + 1; }

bool find_node_memory(CommunicatorBackend& comm, const FirstOffer& first, NodeMemory& memory) {
  if (!first.offer.is_made()) return false;
  // Finding out the nodes takes messages, which are not needed if all ranks are on one node.
  bool found = (!comm.knows_nodes() || count_nodes(comm) == 1) &&
               find_on_one_node(comm, first, memory.bytes);
  if (!found) {
    const int nodes = count_nodes(comm);
    found = nodes > 1 && nodes < comm.size() && find_on_each_node(comm, first, memory);
  }
  return found;
}

void NodeMemory::spread(CommunicatorBackend& comm, std::size_t from, std::size_t size) {
  if (node == nullptr) return;
  const auto count = [&] {
    return node->collectives() + (leaders != nullptr ? leaders->collectives() : 0);
  };
  const std::uint64_t before = count();
  if (leaders != nullptr) leaders->broadcast(bytes.of_all_ranks().subspan(from, size), 0);
  node->barrier();
  comm.count_collectives(count() - before);
}

NodeFile find_node_file(CommunicatorBackend& comm, const NodeOffer& first, MemoryFile mine,
                        bool may_be_one_node) {
  if (!first.is_made()) return {};
  if (may_be_one_node && (!comm.knows_nodes() || count_nodes(comm) == 1))
    return {std::move(mine), first};
  if (count_nodes(comm) == comm.size()) return {};
  CommunicatorBackend& node = comm.ranks_of_node();
  if (node.size() == 1) return {};
  if (node.rank() == 0 && comm.rank() != 0) mine = MemoryFile::make();
  NodeOffer offer = mine.offer();
  const std::uint64_t before = node.collectives();
  node.broadcast(std::as_writable_bytes(std::span(&offer, 1)), 0);
  comm.count_collectives(node.collectives() - before);
  return {std::move(mine), offer};
}

}  // namespace onecast::comm
