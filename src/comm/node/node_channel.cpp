#include "comm/node/node_channel.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace onecast::comm {

// These members of CommunicatorBackend are here because they know what its channel is.

CommunicatorBackend::CommunicatorBackend() = default;
CommunicatorBackend::~CommunicatorBackend() = default;

NodeChannel* CommunicatorBackend::want_channel(std::uint64_t bytes, std::uint64_t most) {
  const std::uint64_t wanted = NodeChannel::size_for(bytes, most);
  const std::uint64_t has = channel_ ? channel_->size() : 0;
  const auto ranks = static_cast<std::uint64_t>(size());
  if (!can_have_channel_ || has >= wanted || !NodeChannel::is_worth_making(ranks, bytes, most))
    return channel_.get();
  channel_.reset();
  const std::uint64_t grown = std::max(wanted, NodeChannel::size_for(has, most));
  channel_ = NodeChannel::make(*this, static_cast<std::size_t>(grown));
  can_have_channel_ = channel_ != nullptr;
  return channel_.get();
}

bool NodeChannel::is_worth_making(std::uint64_t ranks, std::uint64_t bytes, std::uint64_t most) {
  const std::uint64_t least = NodeBuffer::share_from();
  return ranks > 1 && bytes / 4 >= least && most >= least && size_for(bytes, most) >= 2;
}

bool NodeChannel::takes(std::uint64_t bytes) { return bytes >= NodeBuffer::share_from() / 4; }

std::unique_ptr<NodeChannel> NodeChannel::make(CommunicatorBackend& comm, std::size_t size) {
  std::unique_ptr<NodeChannel> channel(new NodeChannel(comm, size));
  FirstOffer first;
  if (comm.rank() == 0) {
    try {
      channel->memory_.bytes = NodeBuffer::to_share(size);
      first = {channel->memory_.bytes.offer(), comm.node_hint()};
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): then there is no offer
    }
  }
  comm.broadcast(std::as_writable_bytes(std::span(&first, 1)), 0);
  if (!find_node_memory(comm, first, channel->memory_)) return nullptr;
  channel->memory_.end_offer();
  return channel;
}

void NodeChannel::share_into(std::span<std::byte> target, Status& status) {
  const bool sends = comm_.rank() == 0;
  const std::size_t half = size_ / 2;
  if (!sends) status = {};  // the maxima are then those of rank 0
  do {
    const auto part = target.first(std::min(target.size(), half));
    // All ranks have copied what was in this half: since then there was a reduction, for the part
    // in the other half.
    uses_second_half_ = !uses_second_half_;
    const std::size_t at = uses_second_half_ ? half : 0;
    const auto shared = memory_.bytes.span().subspan(at, part.size());
    if (sends && status[1] == 0) std::memcpy(shared.data(), part.data(), part.size());
    comm_.all_reduce_max(status);
    if (status[1] != 0) return;
    memory_.spread(comm_, at, part.size());
    if (!sends) std::memcpy(part.data(), shared.data(), part.size());
    target = target.subspan(part.size());
  } while (!target.empty());
}

void broadcast_large(CommunicatorBackend& comm, std::span<std::byte> bytes) {
  NodeChannel* channel = NodeChannel::takes(bytes.size()) ? comm.channel() : nullptr;
  if (channel == nullptr) return comm.broadcast(bytes, 0);
  NodeChannel::Status status{};
  channel->share_into(bytes, status);
}

}  // namespace onecast::comm
