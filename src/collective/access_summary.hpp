#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "base/namespaces.hpp"
#include "collective/extent_list.hpp"
#include "collective/wanted_chunks.hpp"
#include "comm/backend.hpp"

namespace onecast::collective {

/// The number of plans of exchange that are kept (CollectiveFile).
inline constexpr std::size_t kKeptPlans = 4;

/// A summary of the extents that all ranks want in one call; the result of one small reduction.
struct AccessSummary {
  std::uint64_t low = ~std::uint64_t{0};          ///< offset of the first byte
  std::uint64_t high = 0;                         ///< end of the last byte
  std::uint64_t bytes = 0;                        ///< of all ranks together
  std::uint64_t pieces = 0;                       ///< of all ranks; pieces that touch count as one
  std::uint64_t most_pieces = 0;                  ///< of one rank, at most
  std::uint64_t least_bytes = ~std::uint64_t{0};  ///< of a rank that wants anything, at least
  std::uint64_t most_bytes = 0;                   ///< of one rank, at most
  std::uint64_t ranks = 0;                        ///< the number of ranks that want anything
  std::uint64_t done = 0;    ///< ranks that did not wait for the others, and want nothing any more
  std::uint64_t digest = 0;  ///< of the extents, if all ranks want the same
  std::uint64_t failed = 0;  ///< ranks that cannot take part
  bool same = true;          ///< all ranks that want anything want the same
  bool ordered = true;       ///< each rank's bytes lie after those of the ranks below it
  bool apart = true;         ///< ordered, and no two ranks want bytes of one stripe
  bool packed = true;        ///< in every rank's buffer the pieces are adjacent
  bool written = false;      ///< the highest rank has already written what it wants to write
  /// The distance, for each kept plan, by which its extents must be moved to be these, equal on all
  /// ranks; kNoDistance if there is none; kAnyDistance for ranks that want nothing, neither now nor
  /// in the plan.
  std::array<std::int64_t, kKeptPlans> distances = filled(kNoDistance);

  static constexpr std::int64_t kNoDistance = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kAnyDistance = kNoDistance + 1;
  static constexpr std::array<std::int64_t, kKeptPlans> filled(std::int64_t distance) {
    std::array<std::int64_t, kKeptPlans> all{};
    all.fill(distance);
    return all;
  }

  bool operator==(const AccessSummary&) const = default;
};

/// The summary of one rank.
AccessSummary summary_of(const ExtentList& extents);

/// Combines two summaries. All ranks of `lower` precede those of `higher`. Stripes have
/// `stripe_size` bytes.
AccessSummary combined(const AccessSummary& lower, const AccessSummary& higher,
                       std::uint64_t stripe_size);

/// The summary of all ranks; one message. @collective
AccessSummary summarize(CommunicatorBackend& comm, const AccessSummary& mine,
                        std::uint64_t stripe_size);

/// A number that each rank has.
struct Compared {
  std::uint64_t value = 0;  ///< of the lowest rank
  bool equal = true;        ///< true if all ranks have this value
};

/// The data that ranks exchange before a collective transfer. It is the body of the header of the
/// call (BodyRule::transfer), so one reduction carries everything.
struct CallSummary {
  AccessSummary wanted;
  WantedChunks chunks;            ///< chunks to be decoded, of one dataset
  std::uint64_t flags = 0;        ///< a bit is set if any rank sets it
  Compared request;               ///< a digest of what is asked for
  Compared elsewhere;             ///< a digest of what is not among the extents
  Compared named;                 ///< a digest of the datasets of a read
  std::uint64_t stripe_size = 1;  ///< the stripe size for `apart`, equal on all ranks
};

}  // namespace onecast::collective
