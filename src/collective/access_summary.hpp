#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "base/namespaces.hpp"
#include "collective/extent_list.hpp"
#include "collective/wanted_chunks.hpp"
#include "comm/backend.hpp"

namespace onecast::collective {

/// So many plans of exchange are kept (CollectiveFile).
inline constexpr std::size_t kKeptPlans = 4;

/// What all ranks want of a file in one call, in a few numbers: what one small reduction gives.
struct AccessSummary {
  std::uint64_t low = ~std::uint64_t{0};          ///< offset of the first byte
  std::uint64_t high = 0;                         ///< end of the last
  std::uint64_t bytes = 0;                        ///< of all ranks together
  std::uint64_t pieces = 0;                       ///< of all ranks; pieces that touch count as one
  std::uint64_t most_pieces = 0;                  ///< of one rank
  std::uint64_t least_bytes = ~std::uint64_t{0};  ///< of a rank that wants anything
  std::uint64_t most_bytes = 0;                   ///< of one rank
  std::uint64_t ranks = 0;                        ///< how many want anything
  std::uint64_t done = 0;    ///< ranks that did not wait for the others, and want nothing any more
  std::uint64_t digest = 0;  ///< of the extents, if they are the same
  std::uint64_t failed = 0;  ///< ranks that cannot take part
  bool same = true;          ///< all that want anything want the same
  bool ordered = true;       ///< each rank's bytes lie behind those of the ranks below it
  bool apart = true;         ///< ordered, and no stripe is wanted by two of them
  bool packed = true;        ///< in every rank's buffer the pieces lie one behind the other
  bool written = false;      ///< what the highest rank wants to write it has written already
  /// Of each plan that is kept: how far its extents must be moved to be these, on all ranks alike;
  /// or kNoDistance, or kAnyDistance of ranks that want nothing now and wanted nothing then.
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

/// That of one rank.
AccessSummary summary_of(const ExtentList& extents);

/// `lower` and `higher` together, of ranks of which all in `lower` come first. With stripes of
/// `stripe_size`.
AccessSummary combined(const AccessSummary& lower, const AccessSummary& higher,
                       std::uint64_t stripe_size);

/// That of all ranks; one message. @collective
AccessSummary summarize(CommunicatorBackend& comm, const AccessSummary& mine,
                        std::uint64_t stripe_size);

/// A number of each rank.
struct Compared {
  std::uint64_t value = 0;  ///< of the lowest rank
  bool equal = true;        ///< is it that of all?
};

/// What ranks tell each other about a collective transfer: the body of the header of its call
/// (BodyRule::transfer), so one reduction for all there is to know.
struct CallSummary {
  AccessSummary wanted;
  WantedChunks chunks;            ///< to be decoded, of one dataset
  std::uint64_t flags = 0;        ///< a bit is set if it is on any rank
  Compared request;               ///< what of them
  Compared elsewhere;             ///< the same of what is not among the extents
  Compared named;                 ///< the datasets of a read
  std::uint64_t stripe_size = 1;  ///< to judge by, the same on all ranks
};

}  // namespace onecast::collective
