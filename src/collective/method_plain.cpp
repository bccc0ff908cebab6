#include "collective/choose_method.hpp"
#include "collective/transfer_call.hpp"

namespace onecast::collective {
namespace {

std::optional<Choice> suits(const WantedByAll& wanted) {
  const AccessSummary& all = wanted.all;
  if (all.ranks == 0) return Choice{Method::plain, "no rank transfers any bytes"};
  // A rank that writes for itself would take the locks of stripes from their owners.
  const bool disturbs_none = wanted.is_read() || !has_contention(wanted.layout);
  if (all.ranks == 1 && disturbs_none)
    return Choice{
        Method::plain,
        all.done == 0 ? "one rank of {} transfers data" : "one rank of {} has many small pieces",
        {wanted.ranks}};
  if (!all.ordered || all.most_pieces != 1) return {};
  if (all.apart && (disturbs_none || wanted.may_write_alone()))
    return Choice{Method::plain,
                  "{} ranks, one piece each, and no stripe of {} bytes is shared",
                  {all.ranks, wanted.layout.stripe_size}};
  if (all.least_bytes >= kLargePiece && disturbs_none)
    return Choice{Method::plain,
                  "{} ranks, one piece of at least {} bytes each",
                  {all.ranks, all.least_bytes}};
  return {};
}

}  // namespace

/// Each rank transfers for itself, one contiguous piece.
constinit const TransferMethodEntry kPlainMethod{.method = Method::plain,
                                                 .name = "plain",
                                                 .suits = suits,
                                                 .write = write_for_itself,
                                                 .read = read_for_itself};

}  // namespace onecast::collective
