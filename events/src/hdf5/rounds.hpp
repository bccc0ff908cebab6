#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "onecast/events/component.hpp"
#include "onecast/events/team.hpp"

/// What the outputers of HDF5 share: rounds, in which each rank has a batch or none, and options.
namespace onecast::events::hdf5 {

/// What keeps a rank from its next batch, which others do not know yet.
struct RankFailure {
  std::exception_ptr what = {};
  bool could_not_write = false;  ///< its batch of the last round
};

/// What all ranks say before their next batches.
class Told {
 public:
  /// @param stops this rank was asked to stop @param shape of its batch; empty: it has none
  /// @collective @local
  Told(Team& team, const RankFailure& mine, bool stops, std::span<const std::uint64_t> shape);

  [[nodiscard]] std::size_t ranks() const { return all_.size(); }
  [[nodiscard]] std::span<const std::uint64_t> shape(std::size_t rank) const;
  /// The first rank whose last batch is not in the file.
  [[nodiscard]] std::optional<std::size_t> could_not_write() const;
  [[nodiscard]] bool has_failed() const;
  /// What all ranks know after the round.
  [[nodiscard]] Round round() const;

 private:
  std::vector<std::vector<std::uint64_t>> all_;
};

/// Is the file made valid behind so many batches? A process that is killed early shall leave
/// something, too: batches 1, 2, 4, 8 and so on. @param every the option; 0: never
bool is_flushed_behind(std::uint64_t batches, std::uint64_t every);

/// @param chosen what 0 means
OptionInfo batch_option(const std::string& chosen);
/// @param most bytes of a chosen chunk
OptionInfo chunk_option(const std::string& most);
OptionInfo flush_option();
/// What was given for `chunk`; 0: chosen from the data.
std::uint64_t chunk_bytes_of(const Options& options);

}  // namespace onecast::events::hdf5
