#include "comm/user_tree.hpp"

#include <cstring>

#include "base/make_error.hpp"

namespace onecast::comm {
namespace {

using Bytes = UserTree::Bytes;

/// A broadcast of this size waits until it was received.
constexpr std::size_t kAnswered = std::size_t{64} << 10U;

void append(Bytes& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// A size and the bytes, for each of a range of ranks.
Bytes packed(std::span<const std::byte> mine) {
  const std::uint64_t size = mine.size();
  Bytes pack;
  pack.reserve(sizeof size + mine.size());
  append(pack, std::as_bytes(std::span(&size, 1)));
  append(pack, mine);
  return pack;
}

std::vector<Bytes> unpacked(std::span<const std::byte> pack) {
  std::vector<Bytes> all;
  while (!pack.empty()) {
    std::uint64_t size = 0;
    std::memcpy(&size, pack.data(), sizeof size);
    const auto bytes = pack.subspan(sizeof size, static_cast<std::size_t>(size));
    all.emplace_back(bytes.begin(), bytes.end());
    pack = pack.subspan(sizeof size + bytes.size());
  }
  return all;
}

}  // namespace

/// Sends along a binomial tree: each rank that has the bytes sends them to ever nearer ranks.
void UserTree::spread(std::span<std::byte> bytes, int root) {
  const int ranks = size();
  if (root < 0 || root >= ranks) throw argument_error("broadcast: no rank {}", root);
  const auto real = [&](int relative) { return (relative + root) % ranks; };
  const int me = (rank_ - root + ranks) % ranks;
  int step = 1;
  while (step < ranks && (me & step) == 0) step *= 2;
  // Sending does not wait, so receivers acknowledge large messages, which would otherwise fill
  // memory.
  const bool answered = bytes.size() >= kAnswered;
  std::byte answer{};
  if (me != 0) {
    receive(real(me - step), bytes);
    if (answered) send(real(me - step), {&answer, 1});
  }
  const int first = step / 2;
  for (step = first; step > 0; step /= 2)
    if (me + step < ranks) send(real(me + step), bytes);
  for (step = answered ? first : 0; step > 0; step /= 2)
    if (me + step < ranks) receive(real(me + step), {&answer, 1});
}

std::vector<Bytes> UserTree::all_gather(std::span<const std::byte> mine) {
  Bytes pack = packed(mine);
  std::uint64_t size = 0;
  const auto size_bytes = std::as_writable_bytes(std::span(&size, 1));
  for (int step = 1; step < this->size(); step *= 2) {
    if ((rank_ & step) != 0) {
      size = pack.size();
      send(rank_ - step, size_bytes);
      send(rank_ - step, pack);
      break;
    }
    if (rank_ + step >= this->size()) continue;
    receive(rank_ + step, size_bytes);
    const std::size_t end = pack.size();
    pack.resize(end + static_cast<std::size_t>(size));
    receive(rank_ + step, std::span(pack).subspan(end));
  }
  size = pack.size();
  spread(size_bytes, 0);
  pack.resize(static_cast<std::size_t>(size));
  spread(pack, 0);
  return unpacked(pack);
}

/// In step k, all sizes whose way to their rank contains 2^k move that far together: each rank
/// sends few messages, however many ranks there are.
std::vector<std::uint64_t> UserTree::exchange_sizes(const std::vector<Bytes>& to) {
  const auto ranks = to.size();
  const auto me = static_cast<std::size_t>(rank_);
  std::vector<std::uint64_t> by_way(ranks);  // the way is the distance to the rank
  for (std::size_t way = 0; way < ranks; ++way) by_way[way] = to[(me + way) % ranks].size();
  std::vector<std::uint64_t> moved;
  for (std::size_t step = 1; step < ranks; step *= 2) {
    moved.clear();
    for (std::size_t way = step; way < ranks; ++way)
      if ((way & step) != 0) moved.push_back(by_way[way]);
    send(static_cast<int>((me + step) % ranks), std::as_bytes(std::span(moved)));
    receive(static_cast<int>((me + ranks - step) % ranks),
            std::as_writable_bytes(std::span(moved)));
    auto next = moved.begin();
    for (std::size_t way = step; way < ranks; ++way)
      if ((way & step) != 0) by_way[way] = *next++;
  }
  std::vector<std::uint64_t> from(ranks);
  for (std::size_t way = 0; way < ranks; ++way) from[(me + ranks - way) % ranks] = by_way[way];
  return from;
}

std::vector<Bytes> UserTree::exchange(const std::vector<Bytes>& to, MessageBatch& batch) {
  const auto sizes = exchange_sizes(to);
  const auto ranks = to.size();
  const auto me = static_cast<std::size_t>(rank_);
  std::vector<Bytes> received(ranks);
  for (std::size_t i = 1; i < ranks; ++i) {
    const std::size_t r = (me + i) % ranks;
    batch.send(static_cast<int>(r), to[r]);
  }
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == me) continue;
    received[r].resize(static_cast<std::size_t>(sizes[r]));
    batch.receive(static_cast<int>(r), received[r]);
  }
  batch.wait();
  return received;
}

}  // namespace onecast::comm
