#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hdf5/column_arrays.hpp"
#include "model/spare_space.hpp"
#include "onecast/events/team.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::events::hdf5 {

/// An element of the stored index.
struct IndexEntry {
  Identity identity;
  std::uint64_t entry;
};

/// A batch of one rank in a round of all ranks.
struct RankBatch {
  int rank = 0;
  ColumnsShape shape;
  const ColumnsBatch* mine = nullptr;  ///< on that rank
  bool flushes = false;                ///< the file is made valid after it
};

/// A new file of columns that batches are appended to.
class ColumnsFile {
 public:
  /// @collective @same
  ColumnsFile(std::string path, std::shared_ptr<Team> team, ColumnPlan plan,
              const ColumnStorage& storage);

  /// Writes the batches of a round: the chunks that are full now, each encoded in `threads` by the
  /// rank that filled it. Throws what all ranks know.
  /// @return what keeps this rank alone from writing @collective @local
  std::exception_ptr append(const std::vector<RankBatch>& batches, std::size_t threads);
  /// Takes back the last round. @replicated
  void take_back();
  /// Notes that events are missing: finish() will store it, and needs the reserved space.
  void interrupt();
  /// True if the columns of the identity agree with the events' identities. Otherwise there is no
  /// index.
  [[nodiscard]] bool has_identities() const { return has_identities_; }
  /// Writes the waiting elements, the form and the index. If it fails, the file is as the last
  /// flush left it. @collective @local
  void finish(std::size_t threads);

 private:
  /// The contents of the group's attributes.
  struct Description {
    GroupTexts texts;
    std::uint64_t events = 0;
  };
  /// The chunks that are written before the next step.
  struct Step {
    std::vector<ChunkWork> works;
    std::optional<Description> flushed;  ///< set if the file is made valid after this step
  };
  struct State {
    ColumnArrays::State arrays;
    bool is_ascending = true, has_identities = true;
    Identity last;
  };

  Step step_of(const RankBatch& batch);
  /// @return true if all steps have been written; false if a rank could not write before a flush
  bool run(std::vector<Step>& steps, std::size_t threads, std::exception_ptr& failure);
  void exchange_pieces(std::vector<Step>& steps);
  std::exception_ptr encode(std::vector<Step>& steps, std::size_t threads);
  void agree_on_sizes(std::vector<Step>& steps, const std::exception_ptr& failure);
  void write(const std::vector<ChunkWork*>& works, std::exception_ptr& failure);
  void write_together(const std::vector<ChunkWork*>& works, const std::exception_ptr& failure);
  void complete(std::size_t threads);
  [[nodiscard]] Description description() const { return {arrays_.texts(), arrays_.events()}; }
  void describe(Description description, bool is_unfinished);
  std::vector<Identity> identities(std::uint64_t first, std::uint64_t end);
  /// Returns a function that returns the entries [first, end) of the index.
  std::function<std::vector<IndexEntry>(std::uint64_t first, std::uint64_t end)> index_parts();
  void write_index();
  [[nodiscard]] bool is_mine(const ChunkWork& work) const { return work.owner == team_->rank(); }

  std::string path_;
  std::shared_ptr<Team> team_;
  ColumnPlan plan_;
  ColumnStorage storage_;
  File file_;
  Group group_;
  ColumnArrays arrays_;
  bool by_stripes_;  ///< ranks write together what lies in one stripe
  std::optional<GroupTexts> described_;
  bool is_ascending_ = true, has_identities_ = true, is_interrupted_ = false;
  Identity last_;
  State before_;              ///< before the last round
  std::uint64_t placed_ = 0;  ///< chunks since the last flush
  SpareSpace spare_;          ///< reserved for the last metadata
};

}  // namespace onecast::events::hdf5
