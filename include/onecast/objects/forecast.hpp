#pragma once

#include <cstdint>
#include <string>

#include "onecast/objects/file.hpp"

namespace onecast {

/// What ranks are going to ask for in one read_all or write_all of contiguous data.
struct PlannedTransfer {
  enum class Pattern : std::uint8_t {
    contiguous,   ///< each rank one part, in the order of the ranks
    interleaved,  ///< pieces of `piece` bytes, to the ranks in turn
    same,         ///< every rank all of it
  };

  bool reading = false;
  Pattern pattern = Pattern::contiguous;
  std::uint64_t first = 0;  ///< offset in the file
  std::uint64_t bytes = 0;  ///< of the part of the file that is meant
  std::uint64_t piece = 0;  ///< of an interleaved pattern: bytes, not 0
  std::uint32_t ranks = 1;
  std::uint32_t nodes = 1;  ///< on which the ranks are, evenly
};

/// How that would go.
struct TransferForecast {
  std::string method;         ///< "plain", "collective", ...: as File::explain names it
  std::string sentence;       ///< method, why, and the counts: what File::explain would begin with
  std::uint64_t bytes = 0;    ///< of all ranks
  std::uint64_t pieces = 0;   ///< likewise
  std::uint64_t ranks = 0;    ///< that want anything
  std::uint64_t stripes = 0;  ///< that hold any of it
  std::uint64_t stripe_size = 0;
  std::uint32_t stripe_count = 0;  ///< 0: not known
  std::string stripe_source{};     ///< "lustre", "assumed", ...
  std::uint64_t aggregators = 0;   ///< ranks that would transfer for others, if any do
};

/// For the file at `path`, which need not be there, opened with `options`. Reads nothing but how
/// the file is striped. Throws Error (invalid_argument). @independent
TransferForecast forecast_transfer(const std::string& path, const PlannedTransfer& planned,
                                   const FileOptions& options = {});

}  // namespace onecast
