#include "onecast/objects/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "collective/transfer_plan.hpp"
#include "comm/node/node_channel.hpp"
#include "objects/files/transfer_options.hpp"
#include "onecast/base/error.hpp"
#include "stripes/find_stripe_layout.hpp"
#include "stripes/owner_map.hpp"

namespace onecast {

using namespace together;

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

/// Returns the offset of a rank's part of `bytes` that are divided evenly.
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

TransferDirection direction_of(const PlannedTransfer& planned) {
  return planned.reading ? TransferDirection::reading : TransferDirection::writing;
}

/// The knowledge that the ranks would have of each other.
struct Forecast {
  KnownTransfer known;
  AccessSummary all;  ///< including the ranks that need not wait
};

/// Finds out whether several of the ranks that share filtered chunks want one. Neighbouring ranks
/// do if the end of a rank's piece lies within a chunk.
class SharedChunks {
 public:
  SharedChunks(const PlannedTransfer& planned, std::uint64_t cache_bytes)
      : planned_(planned), cache_bytes_(cache_bytes) {}

  void add(const AccessSummary& mine) {
    if (mine.ranks == 0) return;
    const std::uint64_t first = (mine.low - planned_.first) / planned_.chunk;
    const std::uint64_t end = (mine.high - planned_.first - 1) / planned_.chunk + 1;
    if (keeps(mine, end - first)) return;
    const bool is_split =
        planned_.pattern != Pattern::interleaved || planned_.piece % planned_.chunk != 0;
    if (is_split && first < end_) any_ = true;
    end_ = end;
  }
  [[nodiscard]] bool any() const { return any_; }

 private:
  /// Returns true if a rank keeps the chunks that it wants, because they are few; it then reads
  /// them alone. `within` is the number of chunks from its first to its last.
  [[nodiscard]] bool keeps(const AccessSummary& mine, std::uint64_t within) const {
    const std::uint64_t most = (mine.bytes - 1) / planned_.chunk + mine.pieces;
    return std::min(within, most) <= cache_bytes_ / 2 / planned_.chunk;
  }

  const PlannedTransfer& planned_;
  std::uint64_t cache_bytes_;
  std::uint64_t end_ = 0;  ///< the end of the chunks of the rank before
  bool any_ = false;
};

/// Adds what the agreement would know of a rank's contiguous part.
void add_extents(KnownTransfer& known, const PlannedTransfer& planned, const AskedTransfer& asked,
                 const StripeLayout& layout, AccessSummary mine, bool is_of_highest_rank) {
  if (!is_worth_its_calls(asked.direction, mine.pieces, mine.bytes)) known.small_pieces = true;
  if (!planned.reading) {
    const OwnPart part{.pieces = mine.pieces,
                       .bytes = mine.bytes,
                       .is_all = mine.bytes == planned.bytes,
                       .is_of_highest_rank = is_of_highest_rank};
    if (before_agreement(asked, part, layout) == BeforeAgreement::writes) {
      const bool wrote = mine.bytes != 0;
      mine = {};
      mine.done = wrote ? 1 : 0;
    }
  }
  known.wanted = combined(known.wanted, mine, layout.stripe_size);
}

Forecast ask_all(const PlannedTransfer& planned, const AskedTransfer& asked,
                 const StripeLayout& layout, std::uint64_t cache_bytes) {
  Forecast found;
  KnownTransfer& known = found.known;
  SharedChunks shared(planned, cache_bytes);
  std::uint64_t idle = 0;
  for (std::uint64_t rank = 0; rank < planned.ranks; ++rank) {
    const AccessSummary mine = summary_of_rank(planned, rank);
    found.all = combined(found.all, mine, layout.stripe_size);
    if (mine.ranks == 0) ++idle;
    if (planned.chunk != 0)
      shared.add(mine);
    else
      add_extents(known, planned, asked, layout, mine, rank + 1 == planned.ranks);
  }
  known.same = planned.pattern == Pattern::same || planned.ranks == 1;
  known.reads_the_file = found.all.bytes != 0;
  // Ranks that want nothing want equal parts: two of them form a group.
  known.groups = idle > 1;
  if (planned.chunk == 0) return found;
  // Filtered chunks have no extents: each is read or assembled as a whole.
  known.elsewhere = known.decodes = known.new_chunks = known.reads_the_file;
  known.same_elsewhere = known.same;
  known.shares_chunks = shared.any() && asked.method != Method::independent;
  return found;
}

std::vector<int> node_of_each(const PlannedTransfer& planned) {
  std::vector<int> nodes;
  nodes.reserve(planned.ranks);
  for (std::uint64_t rank = 0; rank < planned.ranks; ++rank)
    nodes.push_back(static_cast<int>(rank * planned.nodes / planned.ranks));
  return nodes;
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
  AskedTransfer asked =
      asked_transfer(transfers, direction_of(planned), options.sharing, planned.ranks);
  asked.nodes = planned.nodes;
  auto [known, all] = ask_all(planned, asked, layout, options.chunk_cache_bytes);
  known.shares_memory =
      planned.nodes < planned.ranks &&
      NodeChannel::is_worth_making(planned.ranks, planned.bytes, transfers.collective_buffer);
  TransferPlan plan = plan_transfer(asked, known, layout);
  OwnerOptions owners;
  owners.most_aggregators = transfers.aggregators;
  plan.aggregators = OwnerMap(layout, node_of_each(planned), owners).aggregators();
  std::string sentence = fmt::format("{}: {}", name_of(plan.told.method), plan.sentence());
  // A forecast knows what ranks do not tell each other.
  if (!plan.counts && all.bytes != 0 && planned.chunk == 0)
    sentence += "; " + counts_in_words(all, layout.stripe_size);
  return {std::string(name_of(plan.told.method)),
          std::move(sentence),
          all.bytes,
          all.pieces,
          all.ranks,
          stripes_within(all, layout.stripe_size),
          layout.stripe_size,
          layout.stripe_count,
          name_of(layout.source),
          plan.counts && entry_of(plan.told.method).has_aggregators ? plan.aggregators : 0};
}

}  // namespace onecast
