#include "onecast/events/run.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <optional>

#include "running/lane.hpp"

namespace onecast::events {
namespace {

/// Sizes of the first event's products; zeros if there is no event.
std::vector<std::uint64_t> first_sizes(Source& source, const RunOptions& options) {
  std::vector<std::uint64_t> sizes(source.products().size());
  const auto cursor = source.cursor();
  if (options.events == std::uint64_t{0} || !cursor->go_to(options.first)) return sizes;
  cursor->prepare();
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    cursor->fetch(p);
    sizes[p] = cursor->serialized(p).size();
  }
  return sizes;
}

/// Sizes of the lowest rank that has an event: all ranks choose equal ones.
Expectation agreed_expectation(Source& source, const RunOptions& options, Team& team) {
  std::vector<std::uint64_t> mine;
  std::exception_ptr failure;
  try {
    mine = first_sizes(source, options);
  } catch (...) {
    failure = std::current_exception();
  }
  agree(team, failure);
  Expectation expected{source.size(), std::move(mine)};
  if (expected.events) *expected.events -= std::min(*expected.events, options.first);
  if (options.events) expected.events = std::min(*options.events, expected.events.value_or(~0ULL));
  if (team.size() == 1) return expected;
  std::vector<std::uint64_t> numbers = expected.product_bytes;
  numbers.push_back(expected.events.value_or(~0ULL));
  bool found = false;
  std::uint64_t events = 0;
  for (std::vector<std::uint64_t>& all : team.gather(numbers)) {
    const std::uint64_t of_rank = all.back();
    all.pop_back();
    if (of_rank == ~0ULL || events == ~0ULL)
      events = ~0ULL;
    else
      events = options.shares_source ? of_rank : events + of_rank;
    if (!found && std::ranges::any_of(all, [](std::uint64_t n) { return n != 0; })) {
      found = true;
      expected.product_bytes = std::move(all);
    }
  }
  expected.events = events == ~0ULL ? std::nullopt : std::optional(events);
  return expected;
}

/// Of the process so far.
struct Usage {
  Usage() {
    struct rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      processor_seconds +=
          static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }

  std::uint64_t peak_memory = 0;
  double processor_seconds = 0;
};

/// Counts the lanes that still run.
class Countdown {
 public:
  explicit Countdown(std::size_t count) : left_(count) {}
  void end_one() {
    const std::lock_guard lock(mutex_);
    if (--left_ == 0) zero_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    zero_.wait(lock, [this] { return left_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable zero_;
  std::size_t left_;
};

/// The threads of a run.
struct Threads {
  Threads(const RunOptions& options, const Source& source, const Outputer& outputer)
      : computing(computing_threads(options.threads)),
        for_reading(source.blocks() ? waiting_thread() : nullptr),
        for_writing(outputer.blocks() || outputer.is_collective() ? waiting_thread() : nullptr),
        reading(for_reading ? *for_reading : *computing),
        writing(for_writing ? *for_writing : *computing) {}

  std::unique_ptr<Executor> computing, for_reading, for_writing;
  SerialQueue reading, writing;
};

/// Runs all lanes, until every batch is written or something failed.
void run_lanes(Source& source, Outputer& outputer, Waiter* waiter, const RunOptions& options,
               Team& team, StageTimes& times, Statistics& statistics) {
  const std::size_t lanes = options.lanes != 0 ? options.lanes : 2 * options.threads;
  Threads threads(options, source, outputer);
  Batches batches(outputer, team, options, source.size(), *threads.computing, threads.writing,
                  times);
  std::optional<Timer> timer;
  if (waiter != nullptr) timer.emplace(*threads.computing);
  Countdown running(lanes);
  std::atomic<std::uint64_t> product_bytes = 0;
  // More tasks than threads bring nothing but what they cost, unless they wait.
  const std::size_t groups = waiter != nullptr ? source.products().size() : options.threads / lanes;
  const Shared shared{source,
                      outputer,
                      waiter,
                      *threads.computing,
                      threads.reading,
                      timer ? &*timer : nullptr,
                      batches,
                      times,
                      product_bytes,
                      groups,
                      !options.shares_source || team.size() == 1,
                      [&] { running.end_one(); }};
  std::deque<Lane> all;
  for (std::size_t i = 0; i < lanes; ++i) all.emplace_back(shared);
  for (Lane& lane : all) threads.computing->spawn([&lane] { lane.next(); });
  running.wait();
  threads.for_reading.reset();
  timer.reset();
  threads.computing.reset();  // batches that were being encoded are in the queue now
  if (threads.for_writing) threads.writing.push([&] { batches.finish_together(); });
  threads.for_writing.reset();
  statistics.events = batches.events_written();
  statistics.product_bytes = product_bytes;
  statistics.stopped = batches.was_stopped();
  if (const auto failure = batches.failure()) std::rethrow_exception(failure);
}

}  // namespace

Statistics run(Source& source, Outputer& outputer, Waiter* waiter, const RunOptions& options,
               Team& team) {
  Statistics statistics;
  StageTimes times;
  outputer.begin(source.products(), agreed_expectation(source, options, team));
  const auto start = StageTimes::Clock::now();
  const Usage before;
  std::exception_ptr failure;
  try {
    run_lanes(source, outputer, waiter, options, team, times, statistics);
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    times.measure(Stage::finish, [&] { outputer.finish(); });
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (failure) std::rethrow_exception(failure);
  statistics.seconds = std::chrono::duration<double>(StageTimes::Clock::now() - start).count();
  statistics.bytes_written = outputer.bytes_written();
  const Usage after;
  statistics.processor_seconds = after.processor_seconds - before.processor_seconds;
  statistics.peak_memory = after.peak_memory;
  statistics.stages = times.seconds();
  return statistics;
}

}  // namespace onecast::events
