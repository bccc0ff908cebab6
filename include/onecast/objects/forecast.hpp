#pragma once

#include <cstdint>
#include <string>

#include "onecast/objects/file.hpp"

namespace onecast {

/// A planned read_all or write_all of contiguous data, or of data in filtered chunks.
struct PlannedTransfer {
  enum class Pattern : std::uint8_t {
    contiguous,   ///< each rank one part, in rank order
    interleaved,  ///< pieces of `piece` bytes, dealt to the ranks in turn
    same,         ///< every rank all bytes
  };

  bool reading = false;
  Pattern pattern = Pattern::contiguous;
  std::uint64_t first = 0;  ///< offset in the file
  std::uint64_t bytes = 0;  ///< size of the transferred part of the file
  std::uint64_t piece = 0;  ///< size in bytes of the pieces of an interleaved pattern, not 0
  /// Size in bytes, in memory, of a filtered chunk, or of a row of chunks if they are narrower than
  /// the array; the part begins with one. 0: contiguous data.
  std::uint64_t chunk = 0;
  std::uint32_t ranks = 1;
  std::uint32_t nodes = 1;  ///< the ranks are spread evenly over them
};

/// How a planned transfer would be made.
struct TransferForecast {
  std::string method;         ///< "plain", "collective" and so on, as in File::explain
  std::string sentence;       ///< the first part of what File::explain would return
  std::uint64_t bytes = 0;    ///< of all ranks
  std::uint64_t pieces = 0;   ///< of all ranks
  std::uint64_t ranks = 0;    ///< that transfer anything
  std::uint64_t stripes = 0;  ///< that hold transferred bytes
  std::uint64_t stripe_size = 0;
  std::uint32_t stripe_count = 0;  ///< 0: not known
  std::string stripe_source{};     ///< "lustre", "assumed", ...
  std::uint64_t aggregators = 0;   ///< ranks that would transfer for others; 0: none
};

/// Forecasts a transfer for the file at `path`, opened with `options`: the plan that the call
/// itself would follow. A read is of a file opened read-only, and no rank has the data in memory;
/// filtered chunks were written before they are read. What lies in chunks has no known place:
/// `pieces` and `stripes` are then counted as if it were contiguous.
/// The file need not exist; only its striping is read. Throws Error (invalid_argument).
/// @independent
TransferForecast forecast_transfer(const std::string& path, const PlannedTransfer& planned,
                                   const FileOptions& options = {});

}  // namespace onecast
