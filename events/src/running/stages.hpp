#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace onecast::events {

enum class Stage : std::uint8_t {
  read,
  prepare,
  fetch,
  wait,
  serialize,
  encode,
  encode_batch,
  write,
  finish
};

/// The time that threads spent in each stage; for Stage::wait, the requested time.
class StageTimes {
 public:
  using Clock = std::chrono::steady_clock;

  void add(Stage stage, std::chrono::nanoseconds time) {
    of(stage).fetch_add(time.count(), std::memory_order_relaxed);
  }
  template <class F>
  auto measure(Stage stage, F&& work) {
    const Measuring measuring(*this, stage);
    return work();
  }

  [[nodiscard]] std::map<std::string, double> seconds() const {
    static constexpr std::array kNames{"read",   "prepare",      "fetch", "wait",  "serialize",
                                       "encode", "encode_batch", "write", "finish"};
    std::map<std::string, double> all;
    for (std::size_t i = 0; i < kNames.size(); ++i)
      all[kNames[i]] = static_cast<double>(times_[i].load()) * 1e-9;
    return all;
  }

 private:
  class Measuring {
   public:
    Measuring(StageTimes& times, Stage stage) : times_(times), stage_(stage) {}
    Measuring(const Measuring&) = delete;
    Measuring& operator=(const Measuring&) = delete;
    ~Measuring() { times_.add(stage_, Clock::now() - start_); }

   private:
    StageTimes& times_;
    Stage stage_;
    Clock::time_point start_ = Clock::now();
  };

  std::atomic<std::int64_t>& of(Stage stage) { return times_[static_cast<std::size_t>(stage)]; }

  std::array<std::atomic<std::int64_t>, 9> times_{};
};

}  // namespace onecast::events
