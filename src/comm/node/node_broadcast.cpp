#include "comm/node/node_broadcast.hpp"

#include <algorithm>
#include <cstring>

#include "comm/agreement.hpp"
#include "comm/node/node_memory.hpp"
#include "comm/status_message.hpp"

namespace onecast::comm {

NodeBuffer share_to_nodes(CommunicatorBackend& comm, NodeBuffer payload,
                          const std::exception_ptr& failure) {
  const bool sends = comm.rank() == 0;
  StatusMessage message;
  const auto body = message.body_bytes();
  if (sends && failure) {
    message.describe(failure, comm);
  } else if (sends) {
    message.size = payload.size();
    const FirstOffer first{payload.offer(), comm.node_hint()};
    if (payload.size() > kInlinePayload)
      std::memcpy(body.data(), &first, sizeof first);
    else if (!payload.empty())
      std::memcpy(body.data(), payload.data(), payload.size());
  }
  comm.broadcast(message.bytes(), 0);
  message.raise_failure();
  if (comm.size() == 1) return payload;

  const auto size = static_cast<std::size_t>(message.size);
  if (size <= kInlinePayload) {
    // Needs no agreement: a process without 4 KiB could not even throw an Error.
    if (!sends) {
      payload = NodeBuffer(Buffer(size));
      std::copy_n(body.begin(), size, payload.data());
    }
    payload.end_offer();
    return payload;
  }
  FirstOffer first;
  std::memcpy(&first, body.data(), sizeof first);
  NodeMemory memory;
  memory.bytes = std::move(payload);
  if (find_node_memory(comm, first, memory, size)) {
    memory.end_offer();
    return std::move(memory.bytes);
  }
  payload = std::move(memory.bytes);
  payload = agree(comm, [&] { return sends ? std::move(payload) : NodeBuffer(Buffer(size)); });
  payload.end_offer(false);
  comm.broadcast(payload.span(), 0);
  return payload;
}

}  // namespace onecast::comm
