#include "collective/exchange_plan.hpp"

#include "comm/agreement.hpp"
#include "comm/try_to.hpp"

namespace onecast::collective {
namespace {

/// The extents that this rank wants of each aggregator, as positions in its domain.
std::vector<ExtentList> dealt(const ExtentList& extents, const OwnerMap& owners) {
  std::vector<ExtentListBuilder> builders(owners.aggregators());
  const std::uint64_t stripe = owners.stripe_size();
  extents.for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t /*position*/) {
    while (length > 0) {
      const std::uint64_t part = std::min(length, stripe - offset % stripe);
      const auto [aggregator, position] = owners.position(offset);
      builders[aggregator].add(position, part);
      offset += part;
      length -= part;
    }
  });
  std::vector<ExtentList> lists;
  lists.reserve(builders.size());
  for (ExtentListBuilder& builder : builders) lists.push_back(builder.take());
  return lists;
}

void add_legs(std::vector<Leg>& legs, std::size_t peer, const ExtentList& list,
              std::uint64_t window) {
  for (auto at = list.next_from(0); at;) {
    const std::uint64_t round = *at / window;
    const std::uint64_t end = (round + 1) * window;
    legs.push_back({round, peer, list.bytes_in(*at, end)});
    at = list.next_from(end);
  }
}

std::uint64_t most_in_a_round(const std::vector<Leg>& legs) {
  std::uint64_t most = 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    bytes = i > 0 && legs[i].round == legs[i - 1].round ? bytes + legs[i].bytes : legs[i].bytes;
    most = std::max(most, bytes);
  }
  return most;
}

/// The number of parts into which windows must be cut, so that this rank receives at most `room`
/// bytes in a round. If the bytes are not spread evenly, the parts must be cut again.
std::uint64_t parts_needed(const std::vector<Leg>& legs, std::uint64_t room) {
  const std::uint64_t most = most_in_a_round(legs);
  return most <= room ? 1 : (most - 1) / room + 1;
}

/// The size of a window: whole stripes, if it has room for one.
std::uint64_t window_of(std::uint64_t room, std::uint64_t stripe) {
  return room > stripe ? room - room % stripe : std::max<std::uint64_t>(1, room);
}

class PlanMaker {
 public:
  PlanMaker(CommunicatorBackend& comm, const OwnerMap& owners, TransferDirection direction,
            ExtentList extents, std::function<void(const ExchangePlan&)> reserve, bool bounds_sent)
      : comm_(comm), owners_(owners), reserve_(std::move(reserve)), bounds_sent_(bounds_sent) {
    plan_.direction = direction;
    plan_.extents = std::move(extents);
  }

  ExchangePlan make(std::uint64_t room) {
    share_wishes();
    std::uint64_t parts = agree_on_parts(room, [&] {
      take_wishes();
      fill(room);
    });
    while (parts > 1 && plan_.window > 1)
      parts = agree_on_parts(room, [&] { fill(plan_.window / parts); });
    if (parts > 1 && reserve_) agree(comm_, [&] { reserve_(plan_); });
    return std::move(plan_);
  }

 private:
  /// Sends each aggregator the extents that this rank wants of it.
  void share_wishes() {
    const auto ranks = static_cast<std::size_t>(comm_.size());
    const auto me = static_cast<std::size_t>(comm_.rank());
    mine_ = dealt(plan_.extents, owners_);
    std::vector<std::vector<std::byte>> messages(ranks);
    for (std::size_t a = 0; a < mine_.size(); ++a) {
      const auto rank = static_cast<std::size_t>(owners_.rank_of(a));
      if (rank != me) messages[rank] = mine_[a].encode();
    }
    received_ = comm_.exchange(messages);
  }

  /// Takes the extents that the other ranks sent to this aggregator.
  void take_wishes() {
    const auto me = static_cast<std::size_t>(comm_.rank());
    const int aggregator = owners_.aggregator_of_rank(comm_.rank());
    for (std::size_t r = 0; r < received_.size(); ++r) {
      ExtentList list;
      if (r != me) list = ExtentList::decode(received_[r]);
      if (r == me && aggregator >= 0) list = mine_[static_cast<std::size_t>(aggregator)];
      if (!list.empty()) plan_.wanted.emplace_back(r, std::move(list));
    }
    received_.clear();
    if (plan_.wanted.empty()) return;
    plan_.wanted_begin = ~std::uint64_t{0};
    for (const auto& [rank, list] : plan_.wanted) {
      plan_.wanted_begin = std::min(plan_.wanted_begin, list.begin());
      plan_.wanted_end = std::max(plan_.wanted_end, list.end());
    }
  }

  /// The messages that this rank receives; sent() returns those that it sends.
  [[nodiscard]] const std::vector<Leg>& heard() const {
    return plan_.direction == TransferDirection::writing ? plan_.as_aggregator : plan_.as_rank;
  }
  [[nodiscard]] const std::vector<Leg>& sent() const {
    return plan_.direction == TransferDirection::writing ? plan_.as_rank : plan_.as_aggregator;
  }

  /// Fills the plan. Returns the largest parts_needed of all ranks.
  template <class Fill>
  std::uint64_t agree_on_parts(std::uint64_t room, Fill&& fill_plan) {
    constexpr std::uint64_t kFailed = ~std::uint64_t{0};
    std::uint64_t parts = kFailed;
    std::exception_ptr failure;
    comm::try_to(failure, [&] {
      fill_plan();
      parts = parts_needed(heard(), room);
      if (bounds_sent_) parts = std::max(parts, parts_needed(sent(), room));
      // A rank without memory for the messages must report that before they are sent.
      if (parts == 1 && reserve_) reserve_(plan_);
    });
    comm_.all_reduce_max({&parts, 1});
    if (parts == kFailed) comm::raise_any(comm_, failure);
    return parts;
  }

  void fill(std::uint64_t room) {
    plan_.window = window_of(room, owners_.stripe_size());
    plan_.as_rank.clear();
    plan_.as_aggregator.clear();
    for (std::size_t a = 0; a < mine_.size(); ++a)
      add_legs(plan_.as_rank, a, mine_[a], plan_.window);
    for (const auto& [rank, list] : plan_.wanted)
      add_legs(plan_.as_aggregator, rank, list, plan_.window);
    std::sort(plan_.as_rank.begin(), plan_.as_rank.end());
    std::sort(plan_.as_aggregator.begin(), plan_.as_aggregator.end());
    plan_.most_received = most_in_a_round(heard());
  }

  CommunicatorBackend& comm_;
  const OwnerMap& owners_;
  std::function<void(const ExchangePlan&)> reserve_;
  bool bounds_sent_;
  ExchangePlan plan_;
  std::vector<ExtentList> mine_;  ///< by aggregator, in positions of its domain
  std::vector<std::vector<std::byte>> received_;
};

}  // namespace

const ExtentList& ExchangePlan::wanted_by(std::size_t rank) const {
  return std::lower_bound(wanted.begin(), wanted.end(), rank,
                          [](const auto& entry, std::size_t r) { return entry.first < r; })
      ->second;
}

ExchangePlan make_plan(CommunicatorBackend& comm, const OwnerMap& owners,
                       TransferDirection direction, ExtentList extents, std::uint64_t room,
                       std::function<void(const ExchangePlan&)> reserve, bool bounds_sent) {
  return PlanMaker(comm, owners, direction, std::move(extents), std::move(reserve), bounds_sent)
      .make(room);
}

}  // namespace onecast::collective
