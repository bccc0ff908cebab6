#pragma once

#include <atomic>
#include <memory>

#include "execution/executor.hpp"
#include "execution/serial_queue.hpp"
#include "execution/timer.hpp"
#include "running/batches.hpp"
#include "running/stages.hpp"

namespace onecast::events {

/// The objects that all lanes share.
struct Shared {
  Source& source;
  Outputer& outputer;
  Waiter* waiter;
  Executor& computing;
  SerialQueue& reading;
  Timer* timer;  ///< set if there is a waiter
  Batches& batches;
  StageTimes& times;
  const ComponentNames& names;
  std::atomic<std::uint64_t>& product_bytes;
  std::size_t groups;  ///< of products, which one event processes concurrently
  bool reads_ahead;    ///< most of what follows an event in the source belongs to this rank
  std::function<void()> lane_ended;
};

/// Processes one event after another: goes to it, fetches its products, waits, serialises them,
/// encodes the event, and adds it to its batch. No step waits for another: each ends by calling or
/// spawning the next.
class Lane {
 public:
  explicit Lane(const Shared& shared);

  /// Begins the next event.
  void next();

 private:
  /// After so many events, other tasks get the thread.
  static constexpr unsigned kMostInARow = 8;

  void go_to_event();
  [[nodiscard]] bool could_read_ahead();
  void read_ahead();
  void fetch_all();
  void fetch_group(std::size_t group);
  /// Fetches a product of a source that fetches later, in which each product is a group.
  void begin_fetch(std::size_t product);
  void fetched(std::size_t product, std::size_t bytes, const std::exception_ptr& failure);
  void serialize_after(std::chrono::microseconds wait, std::size_t group);
  void serialize_group(std::size_t group);
  void end_of_group();
  void end_of_event();
  /// Does the work of a step; what it throws ends the run, and is blamed on the component at work.
  /// Returns false if the lane must not go on.
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
