#include "onecast/objects/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "collective/choose_method.hpp"
#include "collective/last_transfer.hpp"
#include "collective/owner_map.hpp"
#include "objects/tree/transfer_options.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

using Pattern = PlannedTransfer::Pattern;

void require_sense(const PlannedTransfer& planned) {
  const auto refuse = [](const char* what) { throw Error(ErrorCode::invalid_argument, what); };
  if (planned.ranks == 0) refuse("ranks: at least 1 was expected");
  if (planned.nodes == 0 || planned.nodes > planned.ranks)
    refuse("nodes: from 1 to the number of ranks was expected");
  if (planned.bytes > UINT64_MAX / 2 / planned.ranks || planned.first > UINT64_MAX / 2)
    refuse("bytes: more than a file can hold");
  if (planned.pattern == Pattern::interleaved && planned.piece == 0)
    refuse("piece: at least 1 was expected");
}

/// Offset of the part of a rank among `bytes` that are dealt evenly.
std::uint64_t share_begin(const PlannedTransfer& planned, std::uint64_t rank) {
  const std::uint64_t each = planned.bytes / planned.ranks;
  return each * rank + std::min(rank, planned.bytes % planned.ranks);
}

AccessSummary summary_of_rank(const PlannedTransfer& planned, std::uint64_t rank) {
  std::uint64_t low = 0;
  std::uint64_t high = planned.bytes;
  std::uint64_t bytes = planned.bytes;
  std::uint64_t pieces = 1;
  std::uint64_t digest = 0;
  if (planned.pattern == Pattern::contiguous) {
    low = share_begin(planned, rank);
    high = share_begin(planned, rank + 1);
    bytes = high - low;
    digest = rank;
  } else if (planned.pattern == Pattern::interleaved && planned.ranks > 1) {
    const std::uint64_t all = (planned.bytes + planned.piece - 1) / planned.piece;
    pieces = all / planned.ranks + (rank < all % planned.ranks ? 1 : 0);
    if (pieces == 0) return {};
    const std::uint64_t last = rank + (pieces - 1) * planned.ranks;
    low = rank * planned.piece;
    high = std::min((last + 1) * planned.piece, planned.bytes);
    bytes = (pieces - 1) * planned.piece + high - last * planned.piece;
    digest = rank;
  }
  if (bytes == 0) return {};
  AccessSummary summary;
  summary.low = planned.first + low;
  summary.high = planned.first + high;
  summary.bytes = summary.least_bytes = summary.most_bytes = bytes;
  summary.pieces = summary.most_pieces = pieces;
  summary.ranks = 1;
  summary.digest = digest;
  return summary;
}

struct Wanted {
  AccessSummary all;
  bool small_pieces = false;  ///< on any rank
};

TransferDirection direction_of(const PlannedTransfer& planned) {
  return planned.reading ? TransferDirection::reading : TransferDirection::writing;
}

Wanted wanted_of(const PlannedTransfer& planned, std::uint64_t stripe_size) {
  const TransferDirection direction = direction_of(planned);
  Wanted wanted;
  for (std::uint64_t rank = 0; rank < planned.ranks; ++rank) {
    const AccessSummary mine = summary_of_rank(planned, rank);
    wanted.all = combined(wanted.all, mine, stripe_size);
    wanted.small_pieces =
        wanted.small_pieces || !is_worth_its_calls(direction, mine.pieces, mine.bytes);
  }
  return wanted;
}

std::vector<int> node_of_each(const PlannedTransfer& planned) {
  std::vector<int> nodes;
  nodes.reserve(planned.ranks);
  for (std::uint64_t rank = 0; rank < planned.ranks; ++rank)
    nodes.push_back(static_cast<int>(rank * planned.nodes / planned.ranks));
  return nodes;
}

/// What read_all and write_all settle before they ask the collective layer.
std::optional<Choice> choose_before(const PlannedTransfer& planned, const Wanted& wanted,
                                    TransferMethod asked, const StripeLayout& layout) {
  if (planned.ranks == 1) return Choice{Method::plain, "there is one process"};
  if (asked == TransferMethod::plain) return Choice{Method::plain, "it was asked for"};
  if (planned.reading && planned.pattern == Pattern::same)
    return Choice{Method::broadcast, "all ranks want the same: rank 0 reads, all hear"};
  // Others may write all of a dataset, too.
  if (planned.reading || asked != TransferMethod::automatic || wanted.small_pieces ||
      has_contention(layout) || planned.pattern == Pattern::same)
    return {};
  return Choice{Method::plain, "nobody writes many small pieces"};
}

const char* name_of(StripeLayout::Source source) {
  constexpr std::array kNames{"pretended", "lustre", "file system", "option", "assumed"};
  return kNames[static_cast<std::size_t>(source)];
}

}  // namespace

TransferForecast forecast_transfer(const std::string& path, const PlannedTransfer& planned,
                                   const FileOptions& options) {
  require_sense(planned);
  const TransferOptions transfers = transfer_options(options);
  const StripeLayout layout = find_stripe_layout(path, transfers.stripes);
  const Wanted wanted = wanted_of(planned, layout.stripe_size);
  const TransferMethod asked = planned.reading ? transfers.reading : transfers.writing;
  std::optional<Choice> choice = choose_before(planned, wanted, asked, layout);
  if (!choice)
    choice =
        choose_method(direction_of(planned), wanted.all, layout, planned.ranks, method_of(asked));
  OwnerOptions owners;
  owners.most_aggregators = transfers.aggregators;
  const OwnerMap map(layout, node_of_each(planned), owners);
  return {name_of(choice->method),
          fmt::format("{}: {}", name_of(choice->method),
                      describe(*choice, wanted.all, layout.stripe_size, map.aggregators())),
          wanted.all.bytes,
          wanted.all.pieces,
          wanted.all.ranks,
          stripes_within(wanted.all, layout.stripe_size),
          layout.stripe_size,
          layout.stripe_count,
          name_of(layout.source),
          uses_aggregators(choice->method) ? map.aggregators() : 0};
}

}  // namespace onecast
