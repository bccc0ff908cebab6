#include "collective/direct_access.hpp"
#include "collective/transfer_call.hpp"
#include "comm/try_to.hpp"

namespace onecast::collective {
namespace {

std::optional<Choice> suits(const WantedByAll& wanted) {
  const AccessSummary& all = wanted.all;
  if (wanted.is_read() || !all.ordered || all.most_pieces != 1 || all.least_bytes < kLargePiece)
    return {};
  if (!wanted.may_write_alone()) return {};
  return Choice{Method::edges,
                "{} ranks, one piece of at least {} bytes each; only the stripes at their ends are "
                "shared",
                {all.ranks, all.least_bytes}};
}

const char* hindrance(const WantedByAll& wanted) {
  return wanted.all.ordered ? nullptr
                            : "edges was requested, but the parts of the ranks are interleaved";
}

/// Whole stripes go directly to the file, since no other rank wants them. The rest is small and
/// shared.
void write_edges(const TransferCall& call) {
  const auto [whole, edges] = split_at_stripes(call.extents, call.exchanges.layout().stripe_size);
  const ExchangePlan plan = call.exchanges.plan(TransferDirection::writing, edges);
  std::exception_ptr failure = call.failure;
  try_to(failure, [&] { write_in_turn(call, whole); });
  call.exchanges.transfer(plan, call.out, {}, failure);
}

}  // namespace

/// Each rank writes its whole stripes; the shared stripes at both ends go in two phases.
constinit const TransferMethodEntry kEdgesMethod{.method = Method::edges,
                                                 .name = "edges",
                                                 .transfers_for_others = true,
                                                 .has_aggregators = true,
                                                 .suits = suits,
                                                 .hindrance = hindrance,
                                                 .write = write_edges,
                                                 .read = read_for_itself};

}  // namespace onecast::collective
