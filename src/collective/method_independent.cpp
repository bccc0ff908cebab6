#include "collective/choose_method.hpp"
#include "collective/transfer_call.hpp"

namespace onecast::collective {
namespace {

/// The limits for one rank and for all ranks: so few calls cause no contention on stripes, either.
constexpr std::uint64_t kFewOnStripes = 8;
constexpr std::uint64_t kFewTogether = 256;

std::optional<Choice> suits(const WantedByAll& wanted) {
  const AccessSummary& all = wanted.all;
  const std::uint64_t mean_piece = wanted.mean_piece();
  const bool disturbs_none =
      wanted.is_read() || !has_contention(wanted.layout) || wanted.may_write_alone();
  if (all.ordered && all.apart && disturbs_none && mean_piece >= kLargePiece)
    return Choice{Method::independent,
                  "pieces of {} bytes on average, and no stripe of {} bytes is shared",
                  {mean_piece, wanted.layout.stripe_size}};
  // Unlike writes, reads of interleaved pieces do not depend on each other.
  if (wanted.is_read() && mean_piece >= kLargePiece && all.bytes <= all.high - all.low)
    return Choice{Method::independent, "pieces of {} bytes on average", {mean_piece}};
  if (wanted.is_read() && all.most_pieces < kFewOnStripes && all.pieces <= kFewTogether)
    return Choice{Method::independent, "{} pieces on {} ranks", {all.pieces, all.ranks}};
  if ((all.ordered || wanted.is_read()) && !has_contention(wanted.layout) &&
      is_worth_its_calls(wanted.direction, all.most_pieces, all.most_pieces * mean_piece))
    return Choice{Method::independent,
                  "an ordinary file system, {} pieces of {} bytes on average on {} ranks",
                  {all.pieces, mean_piece, all.ranks}};
  return {};
}

}  // namespace

/// Each rank transfers for itself, piece by piece.
constinit const TransferMethodEntry kIndependentMethod{.method = Method::independent,
                                                       .name = "independent",
                                                       .suits = suits,
                                                       .write = write_for_itself,
                                                       .read = read_for_itself};

}  // namespace onecast::collective
