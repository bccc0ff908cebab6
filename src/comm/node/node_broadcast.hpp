#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "comm/node/node_buffer.hpp"

namespace onecast::comm {

/// The communication of broadcast_to_nodes; `payload` and `failure` matter on rank 0.
NodeBuffer share_to_nodes(CommunicatorBackend& comm, NodeBuffer payload,
                          const std::exception_ptr& failure);

/// Runs `work` on rank 0 alone; all ranks get the NodeBuffer that it returns, or throw its Error.
///
/// Like broadcast_from_root(), but the ranks of a node share one copy of a payload that
/// NodeBuffer::to_share() made, if the system allows it:
/// - on one node, all ranks find the payload of rank 0, and one reduction, of 16 bytes, shows
///   whether all of them did: no further message is needed
/// - on several nodes, the first rank of each receives the payload, by broadcasts among these
///   ranks, into memory that the other ranks of its node have found before
/// - otherwise each rank gets its copy, as from broadcast_from_root().
/// @collective
template <std::invocable F>
  requires std::same_as<std::invoke_result_t<F>, NodeBuffer>
NodeBuffer broadcast_to_nodes(CommunicatorBackend& comm, F&& work) {
  NodeBuffer payload;
  std::exception_ptr failure;
  if (comm.rank() == 0) {
    try {
      payload = std::invoke(std::forward<F>(work));
      payload.seal();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  return comm::share_to_nodes(comm, std::move(payload), failure);
}

}  // namespace onecast::comm
