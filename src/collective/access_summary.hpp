#pragma once

#include <cstdint>

#include "collective/extent_list.hpp"
#include "comm/backend.hpp"

namespace onecast {

/// What all ranks want of a file in one call, in a few numbers: what one small reduction gives.
struct AccessSummary {
  std::uint64_t low = ~std::uint64_t{0};          ///< offset of the first byte
  std::uint64_t high = 0;                         ///< end of the last
  std::uint64_t bytes = 0;                        ///< of all ranks together
  std::uint64_t pieces = 0;                       ///< likewise
  std::uint64_t most_pieces = 0;                  ///< of one rank
  std::uint64_t least_bytes = ~std::uint64_t{0};  ///< of a rank that wants anything
  std::uint64_t most_bytes = 0;                   ///< of one rank
  std::uint64_t ranks = 0;                        ///< how many want anything
  std::uint64_t digest = 0;                       ///< of the extents, if they are the same
  std::uint64_t failed = 0;                       ///< ranks that cannot take part
  bool same = true;                               ///< all that want anything want the same
  bool ordered = true;  ///< each rank's bytes lie behind those of the ranks below it
  bool apart = true;    ///< ordered, and no stripe is wanted by two of them
  bool packed = true;   ///< in every rank's buffer the pieces lie one behind the other

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

}  // namespace onecast
