#pragma once

#include <cstdint>
#include <string>

#include "onecast/objects/file.hpp"

namespace onecast {

/// A planned read_all or write_all of contiguous data, or of data in filtered chunks.
struct PlannedTransfer {
  enum class Pattern : std::uint8_t {
    contiguous,   ///< each rank has one part, in rank order
    interleaved,  ///< pieces of `piece` bytes, dealt to the ranks in turn
    same,         ///< every rank has all bytes
  };

  bool reading = false;
  Pattern pattern = Pattern::contiguous;
  std::uint64_t first = 0;  ///< offset in the file
  std::uint64_t bytes = 0;  ///< size of the transferred part of the file
  std::uint64_t piece = 0;  ///< size in bytes of the pieces of an interleaved pattern, not 0
  /// The size in memory, in bytes, of a filtered chunk, or of a row of chunks if they are narrower
  /// than the array. The part begins at the start of a chunk or row. 0: contiguous data.
  std::uint64_t chunk = 0;
  std::uint32_t ranks = 1;
  std::uint32_t nodes = 1;  ///< the ranks are spread evenly over them
};

/// The forecast of a planned transfer.
struct TransferForecast {
  std::string method;         ///< "plain", "collective" and so on, as in File::explain
  std::string sentence;       ///< the first part of what File::explain would return
  std::uint64_t bytes = 0;    ///< of all ranks
  std::uint64_t pieces = 0;   ///< of all ranks
  std::uint64_t ranks = 0;    ///< ranks that transfer anything
  std::uint64_t stripes = 0;  ///< stripes that hold transferred bytes
  std::uint64_t stripe_size = 0;
  std::uint32_t stripe_count = 0;  ///< 0: not known
  std::string stripe_source{};     ///< "lustre", "assumed", ...
  std::uint64_t aggregators = 0;   ///< ranks that would transfer for others; 0 if there are none
};

/// Forecasts a transfer for the file at `path`, opened with `options`: returns the plan that the
/// call itself would follow. For a read, the forecast assumes that the file is open for reading
/// only, that no rank has the data in memory, and that filtered chunks were written before. The
/// places of chunks are not known, so `pieces` and `stripes` are counted as if the data were
/// contiguous. The file need not exist; only its striping is read. Throws Error (invalid_argument).
/// @independent
TransferForecast forecast_transfer(const std::string& path, const PlannedTransfer& planned,
                                   const FileOptions& options = {});

}  // namespace onecast
