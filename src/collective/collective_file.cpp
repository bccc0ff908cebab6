#include "collective/collective_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collective/direct_access.hpp"
#include "collective/two_phase.hpp"
#include "comm/agreement.hpp"
#include "onecast/base/error.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast {
namespace {

std::size_t count_nodes(const std::vector<int>& nodes) {
  return static_cast<std::size_t>(*std::max_element(nodes.begin(), nodes.end())) + 1;
}

/// Is it worth while that ranks of a node send together?
bool relays(const std::vector<int>& nodes, std::size_t count, std::uint32_t least) {
  if (least == 0 || count < 2) return false;
  std::vector<std::uint32_t> ranks(count, 0);
  for (const int node : nodes) ++ranks[static_cast<std::size_t>(node)];
  return *std::max_element(ranks.begin(), ranks.end()) >= least;
}

void require_buffer(const ExtentList& extents, std::uint64_t size) {
  if (extents.buffer_size() > size)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("collective transfer: the extents need a buffer of {} bytes, {} given",
                            extents.buffer_size(), size));
}

/// What `work` throws.
template <class F>
std::exception_ptr failure_of(F&& work) {
  try {
    std::forward<F>(work)();
  } catch (...) {
    return std::current_exception();
  }
  return {};
}

/// Plans of regular patterns are small; others are not kept.
bool is_small(const ExchangePlan& plan) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  std::size_t runs = plan.extents.runs().size();
  for (const auto& [rank, list] : plan.wanted) runs += list.runs().size();
  return runs * sizeof(StridedRun) +
             (plan.as_rank.size() + plan.as_aggregator.size()) * sizeof(Leg) +
             plan.of_node.size() * sizeof(NodeLeg) <=
         kMost;
}

/// The file with another beginning.
class MovedFile final : public ForwardingTransport {
 public:
  /// Negative: towards the beginning, which arithmetic modulo 2^64 does.
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

CollectiveFile::CollectiveFile(CommunicatorBackend& comm, Transport& file,
                               const StripeLayout& layout, const CollectiveOptions& options)
    : comm_(comm), file_(file), layout_(layout), options_(options) {}

void CollectiveFile::find_owners() {
  if (owners_) return;
  const std::vector<int>& nodes = comm_.nodes();
  owners_.emplace(layout_, nodes, options_.owners);
  if (relays(nodes, count_nodes(nodes), options_.relay_from) && comm_.node() != nullptr)
    relay_ = std::make_unique<NodeRelay>(comm_);
}

AccessSummary CollectiveFile::summary(TransferDirection direction,
                                      const ExtentList& extents) const {
  AccessSummary mine = summary_of(extents);
  for (std::size_t i = 0; i < kKeptPlans; ++i) {
    if (!kept_[i] || kept_[i]->direction != direction) continue;
    if (extents.empty() && kept_[i]->extents.empty())
      mine.distances[i] = AccessSummary::kAnyDistance;
    else if (const auto distance = extents.distance_from(kept_[i]->extents))
      mine.distances[i] = *distance;
  }
  return mine;
}

AccessSummary CollectiveFile::summarize_all(TransferDirection direction, const ExtentList& extents,
                                            std::uint64_t buffer_size,
                                            const std::exception_ptr& failure) {
  const std::exception_ptr why =
      failure ? failure : failure_of([&] { require_buffer(extents, buffer_size); });
  AccessSummary mine = summary(direction, extents);
  mine.failed = why ? 1 : 0;
  const AccessSummary all = summarize(comm_, mine, layout_.stripe_size);
  if (all.failed != 0) detail::settle(comm_, why);
  return all;
}

Method CollectiveFile::choose(TransferDirection direction, const AccessSummary& all,
                              Method method) {
  ++stats_.calls;
  wanted_ = all;
  stats_.last = choose_method(direction, wanted_, layout_, static_cast<std::size_t>(comm_.size()),
                              method == Method::automatic ? options_.method : method);
  return stats_.last.method;
}

void CollectiveFile::write(const ExtentList& extents, const OutBuffers& bytes,
                           const std::exception_ptr& failure, Method method) {
  write(summarize_all(TransferDirection::writing, extents, bytes.size(), failure), extents, bytes,
        {}, method);
}

void CollectiveFile::read(const ExtentList& extents, const InBuffers& bytes,
                          const std::exception_ptr& failure, Method method) {
  read(summarize_all(TransferDirection::reading, extents, bytes.size(), failure), extents, bytes,
       {}, method);
}

void CollectiveFile::write(const AccessSummary& all, const ExtentList& extents,
                           const OutBuffers& bytes, const std::exception_ptr& failure,
                           Method method) {
  const auto for_itself = [&](bool writes) {
    detail::settle(comm_, failure_of([&] {
                     if (failure) std::rethrow_exception(failure);
                     if (writes) write_directly(file_, extents, bytes);
                   }));
  };
  const Method chosen = choose(TransferDirection::writing, all, method);
  // Nothing is left to do, and nothing can have failed since.
  if (all.written && all.same) return;
  switch (chosen) {
    case Method::automatic:
    case Method::plain:
    case Method::independent:
      return for_itself(true);
    case Method::broadcast:
      return for_itself(comm_.rank() == comm_.size() - 1);
    case Method::edges:
      return write_edges(extents, bytes, failure);
    case Method::collective:
      return transfer_in_two_phases(TransferDirection::writing, extents, bytes, {}, failure);
  }
}

void CollectiveFile::read(const AccessSummary& all, const ExtentList& extents,
                          const InBuffers& bytes, const std::exception_ptr& failure,
                          Method method) {
  switch (choose(TransferDirection::reading, all, method)) {
    case Method::automatic:
    case Method::plain:
    case Method::independent:
    case Method::edges:
      return detail::settle(comm_, failure_of([&] {
                              if (failure) std::rethrow_exception(failure);
                              read_directly(file_, extents, bytes);
                            }));
    case Method::broadcast:
      return read_once(extents, bytes, failure);
    case Method::collective:
      return transfer_in_two_phases(TransferDirection::reading, extents, {}, bytes, failure);
  }
}

std::uint64_t CollectiveFile::share() const {
  return RoundBuffers::share(options_.collective_buffer, relay_ != nullptr);
}

ExchangePlan CollectiveFile::plan(TransferDirection direction, const ExtentList& extents) {
  ++stats_.plans;
  find_owners();
  if (!relay_ || direction == TransferDirection::reading)
    return make_plan(comm_, *owners_, direction, extents, share(),
                     [this](const ExchangePlan& made) { reserve(made); });
  ExchangePlan made = make_plan(comm_, *owners_, direction, extents, share(), {}, true);
  detail::settle(comm_, failure_of([&] {
                   made.of_node = relay_->legs(made, *owners_);
                   relay_->reserve(made.of_node);
                   reserve(made);
                 }));
  return made;
}

/// All ranks find the same.
ExchangePlan* CollectiveFile::kept_plan(std::int64_t& distance) {
  if (!owners_) return nullptr;
  const auto turn = static_cast<std::int64_t>(owners_->stripe_size() * owners_->slots());
  std::uint64_t fronts = 0;
  for (const StripeLayout::Front& front : layout_.fronts) fronts = std::max(fronts, front.end);
  const auto has_same_owners = [&] {
    const std::uint64_t then = wanted_.low - static_cast<std::uint64_t>(distance);
    return distance % turn == 0 && std::min(wanted_.low, then) >= fronts;
  };
  for (std::size_t i = 0; i < kKeptPlans; ++i) {
    distance = wanted_.distances[i];
    if (distance == AccessSummary::kNoDistance || distance == AccessSummary::kAnyDistance) continue;
    if (distance == 0 || !layout_.is_known() || has_same_owners()) return &*kept_[i];
  }
  return nullptr;
}

ExchangePlan& CollectiveFile::keep(ExchangePlan plan) {
  auto& place = kept_[plans_to_keep_++ % kKeptPlans];
  place.reset();
  return (is_small(plan) ? place : unkept_).emplace(std::move(plan));
}

void CollectiveFile::transfer_in_two_phases(TransferDirection direction, const ExtentList& extents,
                                            const OutBuffers& out, const InBuffers& in,
                                            const std::exception_ptr& failure) {
  std::int64_t distance = 0;
  if (const ExchangePlan* kept = kept_plan(distance)) {
    ++stats_.plans_reused;
    return transfer(*kept, distance, out, in, failure);
  }
  transfer(keep(plan(direction, extents)), 0, out, in, failure);
  unkept_.reset();
}

void CollectiveFile::write(const ExchangePlan& plan, const OutBuffers& bytes) {
  transfer_with_memory(plan, bytes.size(), bytes, {});
}

void CollectiveFile::read(const ExchangePlan& plan, const InBuffers& bytes) {
  transfer_with_memory(plan, bytes.size(), {}, bytes);
}

/// Whole stripes are nobody else's: straight to the file. What is left is little, and shared.
void CollectiveFile::write_edges(const ExtentList& extents, const OutBuffers& bytes,
                                 std::exception_ptr failure) {
  const auto [whole, edges] = split_at_stripes(extents, layout_.stripe_size);
  const ExchangePlan edge_plan = plan(TransferDirection::writing, edges);
  if (!failure) failure = failure_of([&] { write_directly(file_, whole, bytes); });
  transfer(edge_plan, 0, bytes, {}, failure);
}

/// Rank 0 reads for all. They have the same extents, but perhaps different buffers.
void CollectiveFile::read_once(const ExtentList& extents, const InBuffers& bytes,
                               std::exception_ptr failure) {
  const std::uint64_t piece = std::min(share(), extents.bytes());
  if (!failure)
    failure = failure_of([&] {
      if (!wanted_.packed) buffers_.reserve(0, 0, piece);
      if (comm_.rank() == 0) read_directly(file_, extents, bytes);
    });
  // Whether it went well is asked first: after an error nobody's buffer changes.
  detail::settle(comm_, failure);
  if (wanted_.packed) return comm_.broadcast(bytes.at(0, extents.bytes()), 0);
  broadcast_pieces(comm_, extents, bytes, buffers_.sent().first(static_cast<std::size_t>(piece)));
}

void CollectiveFile::reserve(const ExchangePlan& plan) {
  const bool writing = plan.direction == TransferDirection::writing;
  std::uint64_t total = 0;
  std::uint64_t largest = 0;
  const auto add = [&](std::uint64_t message) {
    total += message;
    largest = std::max(largest, message);
  };
  if (!plan.of_node.empty()) {
    // Packed by the leader, for all ranks of the node.
    if (relay_->is_leader()) total = largest = share();
  } else {
    for (const Leg& leg : writing ? plan.as_rank : plan.as_aggregator) add(leg.bytes);
  }
  buffers_.reserve(plan.most_received, plan.longest_stretch(),
                   std::max(largest, std::min(share(), total)));
  const std::uint64_t shared = relay_ ? relay_->bytes() : 0;
  stats_.buffer_peak = std::max(stats_.buffer_peak, buffers_.bytes() + shared);
}

void CollectiveFile::transfer(const ExchangePlan& plan, std::int64_t distance,
                              const OutBuffers& out, const InBuffers& in,
                              const std::exception_ptr& failure) {
  MovedFile moved(file_, distance);
  const TwoPhase now{comm_, moved, *owners_, plan, buffers_, relay_.get()};
  const std::exception_ptr failed_here = failure_of([&] {
    if (plan.direction == TransferDirection::writing)
      write_in_two_phases(now, out);
    else
      read_in_two_phases(now, in);
  });
  detail::settle(comm_, failure ? failure : failed_here);
}

void CollectiveFile::transfer_with_memory(const ExchangePlan& plan, std::uint64_t buffer_size,
                                          const OutBuffers& out, const InBuffers& in) {
  // Who has no memory for the messages of others must say so before they are sent.
  agree(comm_, [&] {
    require_buffer(plan.extents, buffer_size);
    reserve(plan);
  });
  transfer(plan, 0, out, in);
}

}  // namespace onecast
