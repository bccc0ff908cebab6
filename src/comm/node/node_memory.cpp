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

NodeBuffer make_for_node(std::uint64_t size) {
  NodeBuffer bytes = NodeBuffer::in(MemoryFile::make(), static_cast<std::size_t>(size));
  try {
    bytes.seal();
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): then there is no offer
  }
  return bytes.offer().is_made() ? std::move(bytes) : NodeBuffer();
}

/// Brings bytes of rank 0 to the memory of all first ranks of nodes. Returns false if one of them
/// has no memory for them.
bool bring_to_leaders(CommunicatorBackend& leaders, NodeBuffer& bytes, std::size_t bring) {
  if (bring == 0) return true;
  if (!all_have(leaders, bytes)) return false;
  leaders.broadcast(bytes.of_all_ranks().first(bring), 0);
  return true;
}

/// The first rank of each node makes memory, gets the bytes of rank 0, and then tells the others of
/// its node where it is.
bool find_on_each_node(CommunicatorBackend& comm, const FirstOffer& first, NodeMemory& memory,
                       std::size_t bring) {
  memory.node = &comm.ranks_of_node();
  memory.leaders = comm.leaders();
  const bool leads = memory.leaders != nullptr;
  if (leads && comm.rank() != 0) memory.bytes = make_for_node(first.offer.size);
  NodeOffer offer;
  comm.count_steps(*memory.node, memory.leaders, [&] {
    if (leads && bring_to_leaders(*memory.leaders, memory.bytes, bring))
      offer = memory.bytes.offer();
    memory.node->broadcast(std::as_writable_bytes(std::span(&offer, 1)), 0);
  });
  if (!leads) memory.bytes = NodeBuffer::find(offer);
  if (leads && !offer.is_made() && comm.rank() != 0) memory.bytes = {};
  std::uint64_t found = offer.is_made() && !memory.bytes.empty() ? 1 : 0;
  comm.all_reduce_min({&found, 1});
  return found != 0;
}

/// The number in the name of the file that the first rank of this node makes for a call. Each call
/// has a number of its own, so no two files have one name.
std::uint64_t number_of_file(const CommunicatorBackend& comm, std::uint64_t call) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;
  return comm.node_leader().number + kOdd * call;
}

/// Returns true if this node has a first rank that makes a file for others.
bool can_offer(const CommunicatorBackend& comm) {
  const NodeLeader& leader = comm.node_leader();
  return comm.knows_nodes() && leader.ranks > 1 && leader.number != 0;
}

/// Makes the file of this node for a call, if this rank is the first one of it and not rank 0.
OfferedFile make_for_call(const CommunicatorBackend& comm, std::uint64_t call) {
  OfferedFile mine;
  if (!can_offer(comm)) return mine;
  mine.number = number_of_file(comm, call);
  if (comm.rank() != 0 && comm.node_leader().rank == comm.rank())
    mine.made = MemoryFile::make(mine.number);
  return mine;
}

}  // namespace

std::size_t count_nodes(CommunicatorBackend& comm) {
  return static_cast<std::size_t>(*std::ranges::max_element(comm.nodes())) + 1;
}

bool find_node_memory(CommunicatorBackend& comm, const FirstOffer& first, NodeMemory& memory,
                      std::size_t bring) {
  if (!first.offer.is_made()) return false;
  // Finding out the nodes takes messages, which are not needed if all ranks are on one node.
  const bool may_be_one_node =
      comm.knows_nodes() ? count_nodes(comm) == 1 : !comm.is_on_several_nodes();
  if (may_be_one_node && find_on_one_node(comm, first, memory.bytes)) return true;
  const std::size_t nodes = count_nodes(comm);
  return nodes > 1 && nodes < static_cast<std::size_t>(comm.size()) &&
         find_on_each_node(comm, first, memory, bring);
}

void NodeMemory::spread(CommunicatorBackend& comm, std::size_t from, std::size_t size) {
  if (node == nullptr) return;
  comm.count_steps(*node, leaders, [&] {
    if (leaders != nullptr) leaders->broadcast(bytes.of_all_ranks().subspan(from, size), 0);
    node->barrier();
  });
}

OfferedFile offer_node_file(const CommunicatorBackend& comm, bool is_worth_it) {
  OfferedFile mine = make_for_call(comm, comm.calls().next());
  if (comm.rank() == 0 && is_worth_it) mine.made = MemoryFile::make();
  return mine;
}

NodeFile find_node_file(CommunicatorBackend& comm, const NodeOffer& first, OfferedFile mine,
                        bool may_be_one_node) {
  if (!first.is_made()) return {};
  if (may_be_one_node && (!comm.knows_nodes() || count_nodes(comm) == 1))
    return {std::move(mine.made), first};
  if (!comm.knows_nodes()) {
    if (count_nodes(comm) == static_cast<std::size_t>(comm.size())) return {};
    // The call has met, so the next one has another number.
    if (comm.rank() != 0) mine = make_for_call(comm, comm.calls().next() - 1);
    comm.barrier();  // the first ranks of all nodes have made their files
  }
  const NodeLeader& leader = comm.node_leader();
  if (leader.ranks == 1) return {};
  if (leader.rank == 0) return {std::move(mine.made), first};
  if (leader.number == 0) return {};
  return {std::move(mine.made), {mine.number, leader.process, NodeOffer::kAnyDescriptor, 0}};
}

}  // namespace onecast::comm
