#include "comm/agreement.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "comm/node/node_channel.hpp"

namespace onecast::comm {

void raise_any(CommunicatorBackend& comm, const std::exception_ptr& failure,
               std::span<std::uint64_t> maxima) {
  constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();
  std::array<std::uint64_t, 1 + kMostAgreed> words{};
  std::uint64_t& lowest = words[0];
  lowest = failure ? static_cast<std::uint64_t>(comm.rank()) : kNobody;
  // The smallest complement is the complement of the largest number.
  std::ranges::transform(maxima, words.begin() + 1, std::bit_not<>());
  comm.all_reduce_min(std::span(words).first(1 + maxima.size()));
  if (lowest != kNobody) raise_from(comm, static_cast<int>(lowest), failure);
  std::ranges::transform(std::span(words).subspan(1, maxima.size()), maxima.begin(),
                         std::bit_not<>());
}

void raise_from(CommunicatorBackend& comm, int rank, const std::exception_ptr& failure) {
  StatusMessage message;
  if (comm.rank() == rank) message.describe(failure, comm);
  comm.broadcast(message.bytes(), rank);
  message.raise_failure();
  throw std::logic_error("raise_from: the rank has no failure");
}

Buffer share_from_root(CommunicatorBackend& comm, int root, Buffer payload,
                       const std::exception_ptr& failure) {
  const bool sends = comm.rank() == root;
  StatusMessage message;
  if (sends && failure) {
    message.describe(failure, comm);
  } else if (sends) {
    message.size = payload.size();
    if (!payload.empty() && payload.size() <= kInlinePayload)
      std::memcpy(message.body.data(), payload.data(), payload.size());
  }
  comm.broadcast(message.bytes(), root);
  message.raise_failure();
  if (comm.size() == 1) return payload;

  const auto size = static_cast<std::size_t>(message.size);
  if (size <= kInlinePayload) {
    // Needs no agreement: a process without 4 KiB could not even throw an Error.
    if (!sends) {
      payload = Buffer(size);
      std::copy_n(message.body_bytes().begin(), size, payload.begin());
    }
    return payload;
  }
  payload = agree(comm, [&] { return sends ? std::move(payload) : Buffer(size); });
  comm.broadcast(payload.span(), root);
  return payload;
}

std::uint64_t share_into(CommunicatorBackend& comm, int root, std::span<std::byte> target,
                         std::uint64_t result, const std::exception_ptr& failure) {
  std::array<std::uint64_t, 2> status{result, failure ? 1U : 0U};
  NodeChannel* channel = root == 0 && NodeChannel::takes(target.size()) ? comm.channel() : nullptr;
  if (channel != nullptr) {
    channel->share_into(target, status);
    if (status[1] != 0) raise_from(comm, root, failure);
    return status[0];
  }
  const auto head = std::as_writable_bytes(std::span(status));
  const auto first =
      target.first(std::min(target.size(), CommunicatorBackend::kSegment - head.size()));
  comm.broadcast_both(head, first, root);
  if (status[1] != 0) raise_from(comm, root, failure);
  comm.broadcast(target.subspan(first.size()), root);
  return status[0];
}

std::vector<std::uint64_t> everyones(CommunicatorBackend& comm, std::uint64_t mine) {
  std::vector<std::uint64_t> all;
  for (const auto& theirs : comm.all_gather(std::as_bytes(std::span(&mine, 1))))
    std::memcpy(&all.emplace_back(), theirs.data(), sizeof mine);
  return all;
}

ComparedDigest::ComparedDigest(std::uint64_t digest, std::span<const std::uint64_t> maxima)
    : count_(2 + maxima.size()) {
  if (maxima.size() > kMaxMaxima) throw std::logic_error("compare_digest: too many maxima");
  // The largest complement is the complement of the smallest digest.
  words_[0] = digest;
  words_[1] = ~digest;
  std::copy(maxima.begin(), maxima.end(), words_.begin() + 2);
}

bool ComparedDigest::take(std::span<std::uint64_t> maxima) const {
  std::copy_n(words_.begin() + 2, maxima.size(), maxima.begin());
  return words_[0] == ~words_[1];
}

bool compare_digest(CommunicatorBackend& comm, std::uint64_t digest,
                    std::span<std::uint64_t> maxima) {
  ComparedDigest values(digest, maxima);
  comm.all_reduce_max(values.words());
  return values.take(maxima);
}

}  // namespace onecast::comm
