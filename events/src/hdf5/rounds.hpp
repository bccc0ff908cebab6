#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "onecast/events/component.hpp"

/// The common part of the HDF5 outputers: options, and rounds in which each rank has at most one
/// batch.
namespace onecast::events::hdf5 {

/// A failure that keeps a rank from its next batch, and that other ranks do not know yet.
struct RankFailure {
  std::exception_ptr what = {};
  bool could_not_write = false;  ///< its batch of the last round
};

/// True if all ranks have written what comes before a flush. If one could not, the round ends
/// without the flush, so that the file does not refer to data that it lacks. @collective @local
bool all_have_written(Team& team, const std::exception_ptr& failure);

/// What all ranks tell each other before their next batches.
class Told {
 public:
  /// @param stops this rank was asked to stop @param shape of its batch; empty if it has none
  /// @collective @local
  Told(Team& team, const RankFailure& mine, bool stops, std::span<const std::uint64_t> shape);

  [[nodiscard]] std::size_t ranks() const { return all_.size(); }
  [[nodiscard]] std::span<const std::uint64_t> shape(std::size_t rank) const;
  /// Returns the first rank whose last batch is not in the file.
  [[nodiscard]] std::optional<std::size_t> could_not_write() const;
  [[nodiscard]] bool has_failed() const;
  /// Returns the state that all ranks know after the round.
  [[nodiscard]] Round round() const;

 private:
  std::vector<std::vector<std::uint64_t>> all_;
};

/// An outputer whose ranks write in rounds.
class RoundOutputer : public Outputer {
 public:
  bool blocks() const override { return true; }
  bool is_collective() const override { return team_->size() > 1; }
  void write(const Batch& batch) override { write_together(&batch, {}, false); }
  Round write_together(const Batch* batch, const std::exception_ptr& failure, bool stops) override;
  std::uint64_t bytes_written() const override { return bytes_written_; }

 protected:
  explicit RoundOutputer(const Request& request);

  /// Returns what all ranks must know of this rank's batch.
  [[nodiscard]] virtual std::vector<std::uint64_t> shape_of(const EncodedBatch& batch) const = 0;
  /// Writes the batches of all ranks. Throws what all ranks know. @param mine may be null @return
  /// what keeps this rank alone from writing @collective @local
  virtual std::exception_ptr append(const Told& told, EncodedBatch* mine) = 0;
  /// Takes back the last round from this rank's batch on.
  virtual void take_back(std::size_t rank) = 0;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::shared_ptr<Team>& team() const { return team_; }
  /// Returns the option as it was given; 0: to be chosen.
  [[nodiscard]] std::uint64_t batch_given() const { return batch_; }
  [[nodiscard]] std::uint64_t chunk_given() const { return chunk_; }
  /// True if the file is made valid after this number of batches of all ranks.
  [[nodiscard]] bool is_flushed_behind(std::uint64_t batches) const;
  /// Called when the file is finished.
  void measure_file();

 private:
  std::string path_;
  std::shared_ptr<Team> team_;
  std::uint64_t batch_, chunk_, flush_every_;
  RankFailure failure_;
  std::uint64_t bytes_written_ = 0;  ///< by rank 0, for all
};

/// @param chosen the meaning of 0
OptionInfo batch_option(const std::string& chosen);
/// @param most bytes of a chosen chunk
OptionInfo chunk_option(const std::string& most);
OptionInfo flush_option();

}  // namespace onecast::events::hdf5
