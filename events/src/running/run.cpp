#include "onecast/events/run.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <deque>

#include "running/agreement.hpp"
#include "running/blame.hpp"
#include "running/lane.hpp"

namespace onecast::events {
namespace {

/// The processor time and memory of the process so far.
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

/// Runs all lanes until every batch is written or something fails.
void run_lanes(Source& source, Outputer& outputer, Waiter* waiter, const RunOptions& options,
               Team& team, StageTimes& times, Statistics& statistics) {
  const std::size_t lanes = options.lanes_in_use();
  Threads threads(options, source, outputer);
  Batches batches(outputer, team, options, source.size(), *threads.computing, threads.writing,
                  times);
  std::optional<Timer> timer;
  if (waiter != nullptr) timer.emplace(*threads.computing);
  Countdown running(lanes);
  std::atomic<std::uint64_t> product_bytes = 0;
  // More tasks than threads only add cost, unless they wait.
  const bool waits = waiter != nullptr || source.fetches_later();
  const std::size_t groups = waits ? source.products().size() : options.threads / lanes;
  const Shared shared{source,
                      outputer,
                      waiter,
                      *threads.computing,
                      threads.reading,
                      timer ? &*timer : nullptr,
                      batches,
                      times,
                      options.names,
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
  threads.computing.reset();  // batches that were being encoded are now in the queue
  if (threads.for_writing) threads.writing.push([&] { batches.finish_together(); });
  threads.for_writing.reset();
  statistics.events = batches.events_written();
  statistics.product_bytes = product_bytes;
  statistics.stopped = batches.was_stopped();
  if (const auto failure = batches.failure()) std::rethrow_exception(failure);
}

/// True if it is true on any rank that writes to this output.
bool is_true_anywhere(bool mine, const Outputer& outputer, Team& team) {
  if (!outputer.is_collective()) return mine;
  const std::uint64_t number = mine ? 1 : 0;
  return std::ranges::any_of(team.gather(std::span(&number, 1)),
                             [](const auto& of_rank) { return of_rank[0] != 0; });
}

}  // namespace

Statistics run(Source& source, Outputer& outputer, Waiter* waiter, const RunOptions& options,
               Team& team) {
  Statistics statistics;
  StageTimes times;
  if (outputer.is_collective() && !options.shares_source)
    agree_on_products(source.products(), team);
  const Expectation expected = agreed_expectation(source, options, team);
  blaming(options.names.outputer, [&] { outputer.begin(source.products(), expected); });
  const auto start = StageTimes::Clock::now();
  const Usage before;
  std::exception_ptr failure;
  try {
    run_lanes(source, outputer, waiter, options, team, times, statistics);
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    if (is_true_anywhere(failure || statistics.stopped, outputer, team)) outputer.interrupt();
    times.measure(Stage::finish,
                  [&] { blaming(options.names.outputer, [&] { outputer.finish(); }); });
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
