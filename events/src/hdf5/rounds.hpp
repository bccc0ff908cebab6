#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "onecast/events/component.hpp"

/// What the outputers of HDF5 share: rounds, in which each rank has a batch or none, and options.
namespace onecast::events::hdf5 {

/// What keeps a rank from its next batch, which others do not know yet.
struct RankFailure {
  std::exception_ptr what = {};
  bool could_not_write = false;  ///< its batch of the last round
};

/// Have all ranks written what comes before a flush? Where one could not, the round ends without
/// it: the file must not say more than it holds. @collective @local
bool all_have_written(Team& team, const std::exception_ptr& failure);

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

  /// What all ranks must know of this rank's batch.
  [[nodiscard]] virtual std::vector<std::uint64_t> shape_of(const EncodedBatch& batch) const = 0;
  /// Writes the batches of all ranks. What all ranks know is thrown. @param mine may be null
  /// @return what keeps this rank alone from writing @collective @local
  virtual std::exception_ptr append(const Told& told, EncodedBatch* mine) = 0;
  /// Gives up the last round, or what of it comes from this rank's batch on.
  virtual void take_back(std::size_t rank) = 0;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::shared_ptr<Team>& team() const { return team_; }
  /// What was given; 0: to be chosen.
  [[nodiscard]] std::uint64_t batch_given() const { return batch_; }
  [[nodiscard]] std::uint64_t chunk_given() const { return chunk_; }
  /// Is the file made valid behind so many batches of all ranks?
  [[nodiscard]] bool is_flushed_behind(std::uint64_t batches) const;
  /// Once it is finished.
  void measure_file();

 private:
  std::string path_;
  std::shared_ptr<Team> team_;
  std::uint64_t batch_, chunk_, flush_every_;
  RankFailure failure_;
  std::uint64_t bytes_written_ = 0;  ///< by rank 0, for all
};

/// @param chosen what 0 means
OptionInfo batch_option(const std::string& chosen);
/// @param most bytes of a chosen chunk
OptionInfo chunk_option(const std::string& most);
OptionInfo flush_option();

}  // namespace onecast::events::hdf5
