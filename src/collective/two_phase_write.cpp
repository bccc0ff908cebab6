#include <array>
#include <cstring>
#include <exception>
#include <numeric>

#include "collective/message_pool.hpp"
#include "collective/two_phase.hpp"
#include "comm/try_to.hpp"

namespace onecast::collective {
namespace {

/// No cycle of waits can arise: in each round, a process first posts its receives, then sends, and
/// only then waits for what it receives in the previous round, or until what it sent is received.
/// So the process that is furthest behind waits for no process that waits. Ranks of a node that
/// send together wait for each other before they send, but for none that is further ahead.
class Writer {
 public:
  Writer(const TwoPhase& now, const OutBuffers& bytes)
      : now_(now),
        bytes_(bytes),
        me_(static_cast<std::size_t>(now.comm.rank())),
        aggregator_(now.owners.aggregator_of_rank(now.comm.rank())),
        arriving_{Arriving{now.comm.messages(), {}}, Arriving{now.comm.messages(), {}}},
        pool_(now.comm, now.buffers.sent()) {}

  void run() {
    std::span<const Leg> mine = now_.plan.as_rank;
    std::span<const Leg> theirs = now_.plan.as_aggregator;
    std::span<const NodeLeg> of_node = now_.plan.of_node;
    if (now_.relay != nullptr) mine = {};
    std::span<const Leg> before;
    while (!mine.empty() || !theirs.empty() || !of_node.empty()) {
      const std::uint64_t round = next_round(mine, theirs, of_node);
      const auto received = take_round(theirs, round);
      half_ ^= 1U;
      receive(received);
      pool_.begin_round();
      for (const Leg& leg : take_round(mine, round)) send(leg);
      if (const auto together = take_round(of_node, round); !together.empty())
        send_together(together, received);
      write(before, half_ ^ 1U);
      before = received;
    }
    write(before, half_);
    pool_.wait();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  /// The messages of a round.
  struct Arriving {
    std::unique_ptr<MessageBatch> batch;
    std::vector<std::size_t> places;  ///< the offset of each leg in the receive buffer
  };

  /// The rank that sends for this rank.
  [[nodiscard]] int sender_of(std::size_t rank) const {
    const auto r = static_cast<int>(rank);
    return now_.relay != nullptr ? now_.relay->leader_of(r) : r;
  }

  /// Receives one message from each sender, with everything that it sends, by rank.
  void receive(std::span<const Leg> legs) {
    auto& [batch, places] = arriving_[half_];
    places.assign(legs.size(), 0);
    std::vector<std::size_t> order(legs.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(sender_of(legs[a].peer), a) < std::pair(sender_of(legs[b].peer), b);
    });
    const auto memory = now_.buffers.received(half_);
    std::size_t used = 0;
    for (std::size_t i = 0; i < order.size();) {
      const int sender = sender_of(legs[order[i]].peer);
      const std::size_t first = used;
      for (; i < order.size() && sender_of(legs[order[i]].peer) == sender; ++i) {
        places[order[i]] = used;
        if (legs[order[i]].peer != me_) used += static_cast<std::size_t>(legs[order[i]].bytes);
      }
      if (sender != sender_of(me_)) batch->receive(sender, memory.subspan(first, used - first));
    }
  }

  /// Calls `each(length, position in the buffer)` for the pieces for an aggregator.
  template <class F>
  void for_each_piece(std::size_t aggregator, std::uint64_t round, F&& each) const {
    const std::uint64_t from = round * now_.plan.window;
    for_each_wanted_here(now_.plan, now_.owners, aggregator, from, from + now_.plan.window,
                         [&](std::uint64_t, std::uint64_t length, std::uint64_t in) {
                           each(static_cast<std::size_t>(length), static_cast<std::size_t>(in));
                         });
  }
  /// Packs a leg. If its bytes cannot be copied, zeros are sent, since the other ranks wait for
  /// them.
  void pack(std::size_t aggregator, std::uint64_t round, std::span<std::byte> out) {
    std::byte* to = out.data();
    try {
      for_each_piece(aggregator, round, [&](std::size_t length, std::size_t in) {
        std::memcpy(to, bytes_.at(in), length);
        to += length;
      });
    } catch (...) {
      std::memset(out.data(), 0, out.size());
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void send(const Leg& leg) {
    const int to = now_.owners.rank_of(leg.peer);
    if (to == now_.comm.rank()) return;
    const auto size = static_cast<std::size_t>(leg.bytes);
    // One contiguous piece needs no packing.
    std::size_t first = 0;
    std::size_t end = 0;
    bool scattered = false;
    for_each_piece(leg.peer, leg.round, [&](std::size_t length, std::size_t in) {
      if (end == 0) first = end = in;
      scattered = scattered || in != end;
      end = in + length;
    });
    if (!scattered) return pool_.send(to, bytes_.to_send(first, size));
    const auto room = pool_.room(size);
    pack(leg.peer, leg.round, room);
    pool_.send(to, room);
  }

  /// Sends a round of the whole node, through the shared memory. The half that is filled now is
  /// filled again two rounds later, after a barrier that all ranks reach when they are done with
  /// it.
  void send_together(std::span<const NodeLeg> legs, std::span<const Leg> received) {
    NodeRelay& relay = *now_.relay;
    shared_half_ ^= 1U;
    for (const NodeLeg& leg : legs)
      if (leg.member == relay.me())
        pack(leg.aggregator, leg.round,
             relay.half(relay.me(), shared_half_)
                 .subspan(static_cast<std::size_t>(leg.position),
                          static_cast<std::size_t>(leg.bytes)));
    relay.barrier();
    take_from_node(legs, received);
    if (!relay.is_leader()) return;
    for (std::size_t i = 0; i < legs.size();) {
      const std::size_t first = i;
      std::size_t size = 0;
      for (; i < legs.size() && legs[i].aggregator == legs[first].aggregator; ++i)
        size += static_cast<std::size_t>(legs[i].bytes);
      const int to = now_.owners.rank_of(legs[first].aggregator);
      if (relay.leader_of(to) == now_.comm.rank()) continue;
      const auto room = pool_.room(size);
      std::byte* out = room.data();
      for (const NodeLeg& leg : legs.subspan(first, i - first)) {
        std::memcpy(out, shared(leg), static_cast<std::size_t>(leg.bytes));
        out += leg.bytes;
      }
      pool_.send(to, room);
    }
  }

  [[nodiscard]] const std::byte* shared(const NodeLeg& leg) const {
    return now_.relay->half(leg.member, shared_half_).data() + leg.position;
  }

  /// Copies what this aggregator receives from other ranks of its node.
  void take_from_node(std::span<const NodeLeg> legs, std::span<const Leg> received) {
    std::size_t i = 0;
    for (const NodeLeg& leg : legs) {
      if (static_cast<int>(leg.aggregator) != aggregator_) continue;
      // Both lists are in the order of the ranks.
      while (received[i].peer == me_ || sender_of(received[i].peer) != sender_of(me_) ||
             now_.relay->member(static_cast<int>(received[i].peer)) != leg.member)
        ++i;
      std::memcpy(now_.buffers.received(half_).data() + arriving_[half_].places[i], shared(leg),
                  static_cast<std::size_t>(leg.bytes));
    }
  }

  /// Waits for a round, and writes it.
  void write(std::span<const Leg> legs, std::size_t half) {
    if (legs.empty()) return;
    arriving_[half].batch->wait();
    // Many an MPI moves a message only while its sender is in the MPI: the receivers would wait
    // until this rank has written.
    pool_.wait_for_last_round();
    // If something failed, the other ranks must still be able to send theirs.
    comm::try_to(failure_, [&] {
      lay_out(legs, half);
      write_window(now_.plan.stretch_of(legs.front().round).from);
    });
  }

  /// Copies the bytes of all ranks to their places in the window, in the order of the ranks.
  void lay_out(std::span<const Leg> legs, std::size_t half) {
    const ExchangePlan::Stretch here = now_.plan.stretch_of(legs.front().round);
    std::byte* window = now_.buffers.window().data();
    Coverage& coverage = now_.buffers.coverage();
    coverage.reset(here.size());
    const auto put = [&](std::uint64_t at, std::uint64_t length, const std::byte* source) {
      std::memcpy(window + (at - here.from), source, static_cast<std::size_t>(length));
      coverage.mark(static_cast<std::size_t>(at - here.from), static_cast<std::size_t>(length));
    };
    for (std::size_t i = 0; i < legs.size(); ++i) {
      if (legs[i].peer == me_) {
        for_each_wanted_here(now_.plan, now_.owners, static_cast<std::size_t>(aggregator_),
                             here.from, here.to,
                             [&](std::uint64_t at, std::uint64_t length, std::uint64_t in) {
                               put(at, length, bytes_.at(in));
                             });
        continue;
      }
      const std::byte* source = now_.buffers.received(half).data() + arriving_[half].places[i];
      now_.plan.wanted_by(legs[i].peer)
          .for_each_in(here.from, here.to,
                       [&](std::uint64_t at, std::uint64_t length, std::uint64_t) {
                         put(at, length, source);
                         source += length;
                       });
    }
  }

  /// Writes each contiguous stretch of the file by one call, without the holes.
  void write_window(std::uint64_t from) {
    std::uint64_t offset = 0;
    std::span<const std::byte> ready;
    const auto flush = [&] {
      if (!ready.empty()) now_.file.write_at(offset, ready);
      ready = {};
    };
    const std::byte* window = now_.buffers.window().data();
    now_.buffers.coverage().for_each_run([&](std::size_t begin, std::size_t end) {
      now_.owners.for_each_stretch(
          static_cast<std::size_t>(aggregator_), from + begin, from + end,
          [&](std::uint64_t at, std::uint64_t place, std::uint64_t length) {
            const std::byte* source = window + (at - from);
            const auto size = static_cast<std::size_t>(length);
            if (!ready.empty() && place == offset + ready.size() &&
                source == ready.data() + ready.size()) {
              ready = {ready.data(), ready.size() + size};
              return;
            }
            flush();
            offset = place;
            ready = {source, size};
          });
    });
    flush();
  }

  const TwoPhase& now_;
  const OutBuffers& bytes_;
  std::size_t me_;
  int aggregator_;
  std::array<Arriving, 2> arriving_;  ///< in this round, and in the previous one
  std::size_t half_ = 0;
  std::size_t shared_half_ = 0;
  MessagePool pool_;
  std::exception_ptr failure_;
};

}  // namespace

void write_in_two_phases(const TwoPhase& now, const OutBuffers& bytes) { Writer(now, bytes).run(); }

}  // namespace onecast::collective
