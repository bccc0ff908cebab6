#include "collective/transfer_call.hpp"

namespace onecast::collective {
namespace {

/// Suits everything that no other method does.
std::optional<Choice> suits(const WantedByAll& wanted) {
  const AccessSummary& all = wanted.all;
  return Choice{Method::collective,
                all.ordered
                    ? "{} pieces of {} bytes on average on {} ranks, small, in shared stripes"
                    : "{} pieces of {} bytes on average on {} ranks, interleaved",
                {all.pieces, wanted.mean_piece(), all.ranks}};
}

void write(const TransferCall& call) {
  call.exchanges.transfer(TransferDirection::writing, call.wanted, call.extents, call.out, {},
                          call.failure);
}

void read(const TransferCall& call) {
  call.exchanges.transfer(TransferDirection::reading, call.wanted, call.extents, {}, call.in,
                          call.failure);
}

}  // namespace

/// Two-phase transfer: aggregators own the stripes.
constinit const TransferMethodEntry kCollectiveMethod{.method = Method::collective,
                                                      .name = "collective",
                                                      .transfers_for_others = true,
                                                      .has_aggregators = true,
                                                      .suits = suits,
                                                      .write = write,
                                                      .read = read};

}  // namespace onecast::collective
