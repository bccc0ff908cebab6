#include <array>
#include <cstring>
#include <exception>

#include "collective/message_pool.hpp"
#include "collective/two_phase.hpp"
#include "comm/try_to.hpp"

namespace onecast::collective {
namespace {

/// The reverse of the Writer: in each round, a process first posts its receives, then reads and
/// sends, and only then waits for what it receives in the previous round.
class Reader {
 public:
  Reader(const TwoPhase& now, const InBuffers& bytes)
      : now_(now),
        bytes_(bytes),
        me_(static_cast<std::size_t>(now.comm.rank())),
        aggregator_(now.owners.aggregator_of_rank(now.comm.rank())),
        arriving_{now.comm.messages(), now.comm.messages()},
        pool_(now.comm, now.buffers.sent()) {}

  void run() {
    std::span<const Leg> mine = now_.plan.as_rank;
    std::span<const Leg> theirs = now_.plan.as_aggregator;
    std::span<const Leg> before;
    while (!mine.empty() || !theirs.empty()) {
      const std::uint64_t round = next_round(mine, theirs);
      const auto received = take_round(mine, round);
      half_ ^= 1U;
      receive(received);
      serve(take_round(theirs, round));
      unpack(before, half_ ^ 1U);
      before = received;
    }
    unpack(before, half_);
    pool_.wait();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  /// Calls `each(length, position in the buffer)` for the bytes of a leg, in the order of the file.
  template <class F>
  void for_each_place(const Leg& leg, F&& each) const {
    const std::uint64_t from = leg.round * now_.plan.window;
    for_each_wanted_here(now_.plan, now_.owners, leg.peer, from, from + now_.plan.window,
                         [&](std::uint64_t, std::uint64_t length, std::uint64_t in) {
                           each(static_cast<std::size_t>(length), static_cast<std::size_t>(in));
                         });
  }

  void receive(std::span<const Leg> legs) {
    auto memory = now_.buffers.received(half_);
    for (const Leg& leg : legs) {
      const int from = now_.owners.rank_of(leg.peer);
      if (from == now_.comm.rank()) continue;
      const auto size = static_cast<std::size_t>(leg.bytes);
      arriving_[half_]->receive(from, memory.first(size));
      memory = memory.subspan(size);
    }
  }

  /// Waits for a round, and copies its bytes to their positions.
  void unpack(std::span<const Leg> legs, std::size_t half) {
    if (legs.empty()) return;
    arriving_[half]->wait();
    const std::byte* source = now_.buffers.received(half).data();
    for (const Leg& leg : legs) {
      if (now_.owners.rank_of(leg.peer) == now_.comm.rank()) continue;
      for_each_place(leg, [&](std::size_t length, std::size_t in) {
        std::memcpy(bytes_.at(in), source, length);
        source += length;
      });
    }
  }

  /// Reads what other ranks want in a round, and sends it to them.
  void serve(std::span<const Leg> legs) {
    if (legs.empty()) return;
    const ExchangePlan::Stretch here = now_.plan.stretch_of(legs.front().round);
    read_window(legs, here);
    const std::byte* window = now_.buffers.window().data();
    for (const Leg& leg : legs) {
      if (leg.peer == me_) {
        for_each_wanted_here(now_.plan, now_.owners, static_cast<std::size_t>(aggregator_),
                             here.from, here.to,
                             [&](std::uint64_t at, std::uint64_t length, std::uint64_t in) {
                               std::memcpy(bytes_.at(in), window + (at - here.from),
                                           static_cast<std::size_t>(length));
                             });
        continue;
      }
      const auto room = pool_.room(static_cast<std::size_t>(leg.bytes));
      std::byte* out = room.data();
      now_.plan.wanted_by(leg.peer).for_each_in(
          here.from, here.to, [&](std::uint64_t at, std::uint64_t length, std::uint64_t) {
            std::memcpy(out, window + (at - here.from), static_cast<std::size_t>(length));
            out += length;
          });
      pool_.send(static_cast<int>(leg.peer), room);
    }
  }

  /// Reads every wanted byte once. Small gaps are read as well.
  void read_window(std::span<const Leg> legs, const ExchangePlan::Stretch& here) {
    constexpr std::size_t kMostGap = 4 << 10U;  // a call takes about as long as copying this much
    Coverage& coverage = now_.buffers.coverage();
    coverage.reset(here.size());
    for (const Leg& leg : legs)
      now_.plan.wanted_by(leg.peer).for_each_in(
          here.from, here.to, [&](std::uint64_t at, std::uint64_t length, std::uint64_t) {
            coverage.mark(static_cast<std::size_t>(at - here.from),
                          static_cast<std::size_t>(length));
          });
    std::size_t first = 0;
    std::size_t last = 0;
    coverage.for_each_run([&](std::size_t begin, std::size_t end) {
      if (last != 0 && begin - last > kMostGap) read(here.from, first, std::exchange(last, 0));
      if (last == 0) first = begin;
      last = end;
    });
    read(here.from, first, last);
  }

  /// Reads [first, last) of the window, each contiguous stretch of the file by one call.
  void read(std::uint64_t from, std::size_t first, std::size_t last) {
    std::uint64_t offset = 0;
    std::span<std::byte> wanted;
    const auto fetch = [&] {
      if (!wanted.empty()) read_or_clear(offset, wanted);
      wanted = {};
    };
    std::byte* window = now_.buffers.window().data();
    now_.owners.for_each_stretch(static_cast<std::size_t>(aggregator_), from + first, from + last,
                                 [&](std::uint64_t at, std::uint64_t place, std::uint64_t length) {
                                   const auto size = static_cast<std::size_t>(length);
                                   if (!wanted.empty() && place == offset + wanted.size()) {
                                     wanted = {wanted.data(), wanted.size() + size};
                                     return;
                                   }
                                   fetch();
                                   offset = place;
                                   wanted = {window + (at - from), size};
                                 });
    fetch();
  }

  void read_or_clear(std::uint64_t offset, std::span<std::byte> out) {
    std::size_t got = 0;
    comm::try_to(failure_, [&] { got = now_.file.read_at(offset, out); });
    std::memset(out.data() + got, 0, out.size() - got);
  }

  const TwoPhase& now_;
  const InBuffers& bytes_;
  std::size_t me_;
  int aggregator_;
  std::array<std::unique_ptr<MessageBatch>, 2> arriving_;  ///< of this round, and of the previous
                                                           ///< one
  std::size_t half_ = 0;
  MessagePool pool_;
  std::exception_ptr failure_;
};

}  // namespace

void read_in_two_phases(const TwoPhase& now, const InBuffers& bytes) { Reader(now, bytes).run(); }

}  // namespace onecast::collective
