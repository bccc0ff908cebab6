#include "collective/exchanges.hpp"

#include <algorithm>
#include <utility>

#include "collective/two_phase.hpp"
#include "comm/agreement.hpp"
#include "comm/node/node_memory.hpp"
#include "comm/try_to.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast::collective {
namespace {

/// True if it is worthwhile that the ranks of a node send together.
bool relays(const std::vector<int>& nodes, std::size_t count, std::uint32_t least) {
  if (least == 0 || count < 2) return false;
  std::vector<std::uint32_t> ranks(count, 0);
  for (const int node : nodes) ++ranks[static_cast<std::size_t>(node)];
  return *std::max_element(ranks.begin(), ranks.end()) >= least;
}

/// Plans of regular patterns are small; other plans are not kept.
bool is_small(const ExchangePlan& plan) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  std::size_t runs = plan.extents.runs().size();
  for (const auto& [rank, list] : plan.wanted) runs += list.runs().size();
  return runs * sizeof(StridedRun) +
             (plan.as_rank.size() + plan.as_aggregator.size()) * sizeof(Leg) +
             plan.of_node.size() * sizeof(NodeLeg) <=
         kMost;
}

/// The file, seen with a shifted origin.
class MovedFile final : public ForwardingTransport {
 public:
  /// A negative distance works by arithmetic modulo 2^64.
  MovedFile(Transport& file, std::int64_t distance)
      : ForwardingTransport(file), distance_(static_cast<std::uint64_t>(distance)) {}

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    return ForwardingTransport::read_at(offset + distance_, out);
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    ForwardingTransport::write_at(offset + distance_, bytes);
  }
  std::uint64_t size() override { return ForwardingTransport::size() - distance_; }

 private:
  std::uint64_t distance_;
};

}  // namespace

Exchanges::Exchanges(CommunicatorBackend& comm, Transport& file, const StripeLayout& layout,
                     const ExchangeOptions& options)
    : comm_(comm), file_(file), layout_(layout), options_(options) {}

void Exchanges::find_owners() {
  if (owners_) return;
  const std::vector<int>& nodes = comm_.nodes();
  owners_.emplace(layout_, nodes, options_.owners);
  if (relays(nodes, count_nodes(comm_), options_.relay_from) && comm_.node() != nullptr)
    relay_ = std::make_unique<NodeRelay>(comm_);
}

std::array<std::int64_t, kKeptPlans> Exchanges::distances(TransferDirection direction,
                                                          const ExtentList& extents) const {
  auto found = AccessSummary::filled(AccessSummary::kNoDistance);
  for (std::size_t i = 0; i < kKeptPlans; ++i) {
    if (!kept_[i] || kept_[i]->direction != direction) continue;
    if (extents.empty() && kept_[i]->extents.empty())
      found[i] = AccessSummary::kAnyDistance;
    else if (const auto distance = extents.distance_from(kept_[i]->extents))
      found[i] = *distance;
  }
  return found;
}

std::uint64_t Exchanges::share() const {
  return RoundBuffers::share(options_.collective_buffer, relay_ != nullptr);
}

std::span<std::byte> Exchanges::memory(std::uint64_t size) {
  buffers_.reserve(0, 0, size);
  return buffers_.sent().first(static_cast<std::size_t>(size));
}

ExchangePlan Exchanges::plan(TransferDirection direction, const ExtentList& extents) {
  ++stats_.plans;
  find_owners();
  if (!relay_ || direction == TransferDirection::reading)
    return make_plan(comm_, *owners_, direction, extents, share(),
                     [this](const ExchangePlan& made) { reserve(made); });
  ExchangePlan made = make_plan(comm_, *owners_, direction, extents, share(), {}, true);
  std::exception_ptr failure;
  try_to(failure, [&] {
    made.of_node = relay_->legs(made, *owners_);
    relay_->reserve(made.of_node);
    reserve(made);
  });
  comm::raise_any(comm_, failure);
  return made;
}

/// Returns the same plan on all ranks.
const ExchangePlan* Exchanges::kept_plan(const AccessSummary& all, std::int64_t& distance) {
  if (!owners_) return nullptr;
  const auto turn = static_cast<std::int64_t>(owners_->stripe_size() * owners_->slots());
  std::uint64_t fronts = 0;
  for (const StripeLayout::Front& front : layout_.fronts) fronts = std::max(fronts, front.end);
  const auto has_same_owners = [&] {
    const std::uint64_t then = all.low - static_cast<std::uint64_t>(distance);
    return distance % turn == 0 && std::min(all.low, then) >= fronts;
  };
  for (std::size_t i = 0; i < kKeptPlans; ++i) {
    distance = all.distances[i];
    if (distance == AccessSummary::kNoDistance || distance == AccessSummary::kAnyDistance) continue;
    if (distance == 0 || !layout_.is_known() || has_same_owners()) return &*kept_[i];
  }
  return nullptr;
}

ExchangePlan& Exchanges::keep(ExchangePlan plan) {
  auto& place = kept_[plans_to_keep_++ % kKeptPlans];
  place.reset();
  return (is_small(plan) ? place : unkept_).emplace(std::move(plan));
}

void Exchanges::transfer(TransferDirection direction, const AccessSummary& all,
                         const ExtentList& extents, const OutBuffers& out, const InBuffers& in,
                         const std::exception_ptr& failure) {
  std::int64_t distance = 0;
  if (const ExchangePlan* kept = kept_plan(all, distance)) {
    ++stats_.plans_reused;
    return transfer_moved(*kept, distance, out, in, failure);
  }
  transfer(keep(plan(direction, extents)), out, in, failure);
  unkept_.reset();
}

void Exchanges::reserve(const ExchangePlan& plan) {
  const bool writing = plan.direction == TransferDirection::writing;
  std::uint64_t total = 0;
  std::uint64_t largest = 0;
  const auto add = [&](std::uint64_t message) {
    total += message;
    largest = std::max(largest, message);
  };
  if (!plan.of_node.empty()) {
    // The leader packs for all ranks of the node.
    if (relay_->is_leader()) total = largest = share();
  } else {
    for (const Leg& leg : writing ? plan.as_rank : plan.as_aggregator) add(leg.bytes);
  }
  buffers_.reserve(plan.most_received, plan.longest_stretch(),
                   std::max(largest, std::min(share(), total)));
  const std::uint64_t shared = relay_ ? relay_->bytes() : 0;
  stats_.buffer_peak = std::max(stats_.buffer_peak, buffers_.bytes() + shared);
}

void Exchanges::transfer(const ExchangePlan& plan, const OutBuffers& out, const InBuffers& in,
                         const std::exception_ptr& failure) {
  transfer_moved(plan, 0, out, in, failure);
}

void Exchanges::transfer_moved(const ExchangePlan& plan, std::int64_t distance,
                               const OutBuffers& out, const InBuffers& in,
                               const std::exception_ptr& failure) {
  MovedFile moved(file_, distance);
  const TwoPhase now{comm_, moved, *owners_, plan, buffers_, relay_.get()};
  std::exception_ptr failed_here;
  try_to(failed_here, [&] {
    if (plan.direction == TransferDirection::writing)
      write_in_two_phases(now, out);
    else
      read_in_two_phases(now, in);
  });
  comm::raise_any(comm_, failure ? failure : failed_here);
}

}  // namespace onecast::collective
