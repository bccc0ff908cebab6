#pragma once

#include <atomic>
#include <memory>

#include "execution/executor.hpp"
#include "execution/serial_queue.hpp"
#include "execution/timer.hpp"
#include "running/batches.hpp"
#include "running/stages.hpp"

namespace onecast::events {

/// What all lanes share.
struct Shared {
  Source& source;
  Outputer& outputer;
  Waiter* waiter;
  Executor& computing;
  SerialQueue& reading;
  Timer* timer;  ///< if there is a waiter
  Batches& batches;
  StageTimes& times;
  const ComponentNames& names;
  std::atomic<std::uint64_t>& product_bytes;
  std::size_t groups;  ///< of products, which one event works on at the same time
  bool reads_ahead;    ///< most that lies behind an event in the source is this rank's
  std::function<void()> lane_ended;
};

/// One event after another: go to it, fetch its products, wait, serialise them, encode the event,
/// leave it to its batch. No step waits for another: each ends with the next, or by spawning it.
class Lane {
 public:
  explicit Lane(const Shared& shared);

  /// Begins with the next event.
  void next();

 private:
  /// After so many events others have their turn on the thread.
  static constexpr unsigned kMostInARow = 8;

  void go_to_event();
  [[nodiscard]] bool could_read_ahead();
  void read_ahead();
  void fetch_all();
  void fetch_group(std::size_t group);
  /// Of a source that fetches later, where each product is a group.
  void begin_fetch(std::size_t product);
  void fetched(std::size_t product, std::size_t bytes, const std::exception_ptr& failure);
  void serialize_after(std::chrono::microseconds wait, std::size_t group);
  void serialize_group(std::size_t group);
  void end_of_group();
  void end_of_event();
  /// Does the work of a step; what it throws ends the run, and is blamed on the component that is
  /// at work then. Returns whether to go on.
  template <class F>
  bool attempt(const std::string* const& at_work, F&& work);
  template <class F>
  bool attempt(const std::string& component, F&& work);
  [[nodiscard]] std::string event_at_work() const;
  [[nodiscard]] std::size_t first_of(std::size_t group) const;

  const Shared& shared_;
  std::unique_ptr<Cursor> cursor_;
  std::size_t products_;
  std::size_t groups_;
  Batches::Place place_;
  Event event_;
  bool knows_identity_ = false;  ///< of this event
  std::atomic<std::size_t> groups_left_ = 0;
  unsigned events_in_a_row_ = 0;
};

}  // namespace onecast::events
