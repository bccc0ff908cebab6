#include "collective/collective_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collective/direct_access.hpp"
#include "collective/two_phase.hpp"
#include "comm/agreement.hpp"
#include "onecast/base/error.hpp"

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

void require_buffer(const ExtentList& extents, std::size_t size) {
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

}  // namespace

CollectiveFile::CollectiveFile(CommunicatorBackend& comm, Transport& file,
                               const StripeLayout& layout, const CollectiveOptions& options)
    : comm_(comm),
      file_(file),
      layout_(layout),
      options_(options),
      nodes_(count_nodes(comm.nodes())),
      owners_(layout, comm.nodes(), options.owners) {
  if (relays(comm.nodes(), nodes_, options.relay_from) && comm.node() != nullptr)
    relay_ = std::make_unique<NodeRelay>(comm);
}

Choice CollectiveFile::choose(TransferDirection direction, const ExtentList& extents,
                              std::size_t buffer_size, std::exception_ptr failure, Method method) {
  ++stats_.calls;
  if (!failure) failure = failure_of([&] { require_buffer(extents, buffer_size); });
  AccessSummary mine = summary_of(extents);
  mine.failed = failure ? 1 : 0;
  wanted_ = summarize(comm_, mine, layout_.stripe_size);
  if (wanted_.failed != 0) detail::settle(comm_, failure);
  return stats_.last =
             choose_method(direction, wanted_, layout_, static_cast<std::size_t>(comm_.size()),
                           nodes_, method == Method::automatic ? options_.method : method);
}

void CollectiveFile::write(const ExtentList& extents, std::span<const std::byte> bytes,
                           std::exception_ptr failure, Method method) {
  switch (choose(TransferDirection::writing, extents, bytes.size(), std::move(failure), method)
              .method) {
    case Method::automatic:
    case Method::plain:
    case Method::independent:
      return agree(comm_, [&] { write_directly(file_, extents, bytes); });
    case Method::broadcast:
      return agree(comm_, [&] {
        if (comm_.rank() == comm_.size() - 1) write_directly(file_, extents, bytes);
      });
    case Method::edges:
      return write_edges(extents, bytes);
    case Method::collective:
      return write(plan(TransferDirection::writing, extents), bytes);
  }
}

void CollectiveFile::read(const ExtentList& extents, std::span<std::byte> bytes,
                          std::exception_ptr failure, Method method) {
  switch (choose(TransferDirection::reading, extents, bytes.size(), std::move(failure), method)
              .method) {
    case Method::automatic:
    case Method::plain:
    case Method::independent:
    case Method::edges:
      return agree(comm_, [&] { read_directly(file_, extents, bytes); });
    case Method::broadcast:
      return read_once(extents, bytes);
    case Method::collective:
      return read(plan(TransferDirection::reading, extents), bytes);
  }
}

std::uint64_t CollectiveFile::share() const {
  return RoundBuffers::share(options_.collective_buffer, relay_ != nullptr);
}

ExchangePlan CollectiveFile::plan(TransferDirection direction, const ExtentList& extents) {
  ++stats_.plans;
  const bool relays = relay_ && direction == TransferDirection::writing;
  ExchangePlan made = make_plan(comm_, owners_, direction, extents, share(), relays);
  if (relays) add_node_legs(made);
  return made;
}

void CollectiveFile::add_node_legs(ExchangePlan& plan) {
  detail::settle(comm_, failure_of([&] {
                   plan.of_node = relay_->legs(plan, owners_);
                   relay_->reserve(plan.of_node);
                 }));
}

void CollectiveFile::write(const ExchangePlan& plan, std::span<const std::byte> bytes) {
  transfer(plan, bytes, {});
}

void CollectiveFile::read(const ExchangePlan& plan, std::span<std::byte> bytes) {
  transfer(plan, bytes, bytes);
}

/// Whole stripes are nobody else's: straight to the file. What is left is little, and shared.
void CollectiveFile::write_edges(const ExtentList& extents, std::span<const std::byte> bytes) {
  const auto [whole, edges] = split_at_stripes(extents, layout_.stripe_size);
  const ExchangePlan edge_plan = plan(TransferDirection::writing, edges);
  transfer(edge_plan, bytes, {}, failure_of([&] { write_directly(file_, whole, bytes); }));
}

/// Rank 0 reads for all. They have the same extents, but perhaps different buffers.
void CollectiveFile::read_once(const ExtentList& extents, std::span<std::byte> bytes) {
  const std::exception_ptr failure = failure_of([&] {
    if (comm_.rank() == 0) read_directly(file_, extents, bytes);
  });
  // Whether it went well is asked first: after an error nobody's buffer changes.
  detail::settle(comm_, failure);
  if (wanted_.packed) return comm_.broadcast(bytes.first(extents.bytes()), 0);
  const std::uint64_t piece = std::min(share(), extents.bytes());
  agree(comm_, [&] { buffers_.reserve(0, 0, piece); });
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
  buffers_.reserve(plan.most_received, plan.as_aggregator.empty() ? 0 : plan.window,
                   std::max(largest, std::min(share(), total)));
  const std::uint64_t shared = relay_ ? relay_->bytes() : 0;
  stats_.buffer_peak = std::max(stats_.buffer_peak, buffers_.bytes() + shared);
}

void CollectiveFile::transfer(const ExchangePlan& plan, std::span<const std::byte> out,
                              std::span<std::byte> in, const std::exception_ptr& failure) {
  // Who has no memory for the messages of others must say so before they are sent.
  agree(comm_, [&] {
    require_buffer(plan.extents, out.size());
    reserve(plan);
  });
  const TwoPhase now{comm_, file_, owners_, plan, buffers_, relay_.get()};
  const std::exception_ptr failed_here = failure_of([&] {
    if (plan.direction == TransferDirection::writing)
      write_in_two_phases(now, out);
    else
      read_in_two_phases(now, in);
  });
  detail::settle(comm_, failure ? failure : failed_here);
}

}  // namespace onecast
