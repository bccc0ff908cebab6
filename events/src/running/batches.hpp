#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "execution/serial_queue.hpp"
#include "onecast/events/run.hpp"
#include "running/stages.hpp"

namespace onecast::events {

/// Deals the entries of the source to the lanes, collects encoded events in batches, and passes
/// complete batches to the outputer in order. Few batches are in flight: a lane that is too far
/// ahead has to come back later.
class Batches {
 public:
  /// The place of an event.
  struct Place {
    std::uint64_t entry = 0;   ///< in the source
    std::uint64_t number = 0;  ///< among the events of this rank
  };

  Batches(Outputer& outputer, Team& team, const RunOptions& options,
          std::optional<std::uint64_t> source_size, Executor& computing, SerialQueue& writing,
          StageTimes& times);
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  enum class Claim : std::uint8_t { taken, later, none };
  /// Takes the next event. `later`: there is no space, and `come_back` will be spawned when there
  /// is.
  Claim claim(Place& place, const Task& come_back);
  /// Notes that the source has neither this entry nor a later one.
  void is_missing(const Place& place);
  void add(const Place& place, EncodedEvent event);

  /// Notes that an event cannot be processed: the run ends, with the batches before that of the
  /// event. Of several failures, that of the first event counts.
  void fail(const Place& place, std::exception_ptr failure) {
    fail(place.number, std::move(failure));
  }
  /// True if nothing will be written of the event, so that its lane need not go on with it.
  [[nodiscard]] bool is_lost(const Place& place) const;
  [[nodiscard]] std::exception_ptr failure() const;

  /// Takes part in the calls of ranks that still have batches when this rank has none left, for a
  /// collective outputer. It is the last task in the queue for writing.
  void finish_together();

  [[nodiscard]] std::uint64_t events_written() const;
  [[nodiscard]] bool was_stopped() const;

 private:
  struct Collected {
    Batch batch;
    std::uint64_t filled = 0;
    bool is_handed_on = false;
  };

  [[nodiscard]] bool is_asked_to_stop() const {
    return options_.stop != nullptr && options_.stop->load();
  }
  /// Ends the run after the round being written. Ranks that write together stop together, since
  /// events of one rank would otherwise be missing between those of others.
  void end_behind_this_round();
  [[nodiscard]] std::uint64_t entry_of(std::uint64_t number) const;
  [[nodiscard]] std::uint64_t events_of_batch(std::uint64_t batch) const;
  void share_little(bool is_size_known);
  void end_at(std::uint64_t number);
  void hand_on_if_complete(std::uint64_t batch);
  /// Returns the current exception, blamed on the outputer's work with this batch.
  [[nodiscard]] std::exception_ptr blamed_on_outputer(const Batch& batch) const;
  void encode(std::uint64_t number, Batch batch);
  void write(const Batch& batch);
  void fail(std::uint64_t number, std::exception_ptr failure);
  void resume();

  Outputer& outputer_;
  const RunOptions& options_;
  Executor& computing_;
  SerialQueue& writing_;
  StageTimes& times_;
  bool together_;
  std::uint64_t ranks_, rank_;  ///< the ranks among which entries are dealt
  std::uint64_t batch_events_;
  std::uint64_t most_in_flight_ = 0;
  std::uint64_t entries_end_;

  mutable std::mutex mutex_;
  std::uint64_t next_ = 0;                 ///< number of the next event
  std::uint64_t end_ = ~std::uint64_t{0};  ///< the number after the last event, as far as known
  std::map<std::uint64_t, Collected> collected_;
  std::map<std::uint64_t, Batch> encoded_;  ///< batches that wait for earlier ones
  std::uint64_t next_to_write_ = 0;
  std::uint64_t written_ = 0;  ///< batches
  std::uint64_t events_written_ = 0;
  std::vector<Task> waiting_;
  std::exception_ptr failure_;
  std::uint64_t failed_number_ = 0;
  bool cannot_write_ = false;
  bool is_over_ = false;  ///< the ranks have stopped
  bool stopped_ = false;
};

}  // namespace onecast::events
