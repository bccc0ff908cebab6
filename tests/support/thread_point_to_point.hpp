#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "onecast/comm/point_to_point.hpp"

namespace onecast::test {

/// Messages between threads that act as ranks. It uses only Onecast's public interface.
class ThreadMail {
 public:
  explicit ThreadMail(int size) : size_(size) {}

  [[nodiscard]] int size() const { return size_; }

  void send(int from, int to, int tag, std::span<const std::byte> bytes) {
    const std::scoped_lock lock(mutex_);
    if (bytes.empty()) throw std::logic_error("an empty message");
    boxes_[{from, to, tag}].emplace_back(bytes.begin(), bytes.end());
    changed_.notify_all();
  }
  void receive(int from, int to, int tag, std::span<std::byte> bytes) {
    constexpr std::chrono::seconds kPatience(60);
    std::unique_lock lock(mutex_);
    auto& box = boxes_[{from, to, tag}];
    if (!changed_.wait_for(lock, kPatience, [&] { return !box.empty() || failed_.contains(from); }))
      throw std::logic_error("a rank hangs");
    if (box.empty()) throw std::runtime_error("the rank has failed: " + failed_.at(from));
    if (box.front().size() != bytes.size()) throw std::logic_error("another size was sent");
    std::copy(box.front().begin(), box.front().end(), bytes.begin());
    box.pop_front();
  }
  void fail(int rank, std::string_view reason) {
    const std::scoped_lock lock(mutex_);
    failed_.emplace(rank, reason);
    changed_.notify_all();
  }
  /// Returns the number of messages that nobody has received.
  std::size_t left() {
    const std::scoped_lock lock(mutex_);
    std::size_t sum = 0;
    for (const auto& [_, box] : boxes_) sum += box.size();
    return sum;
  }

 private:
  int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::tuple<int, int, int>, std::deque<std::vector<std::byte>>> boxes_;
  std::map<int, std::string> failed_;
};

/// A thread that acts as a rank.
class ThreadRank final : public PointToPoint {
 public:
  ThreadRank(ThreadMail& mail, int rank) : mail_(mail), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return mail_.size(); }
  void send(int to, int tag, std::span<const std::byte> bytes) override {
    before_call();
    mail_.send(rank_, to, tag, bytes);
  }
  void receive(int from, int tag, std::span<std::byte> bytes) override {
    before_call();
    mail_.receive(from, rank_, tag, bytes);
  }
  void fail(std::string_view reason) noexcept override {
    ++fails_;
    mail_.fail(rank_, reason);
  }
  [[nodiscard]] bool any_thread() const override { return true; }
  [[nodiscard]] std::uint64_t node() const override {
    if (node_fails_) throw std::runtime_error("the machine has no number");
    return static_cast<std::uint64_t>(node_ >= 0 ? node_ : rank_ / ranks_per_node_);
  }

  void set_ranks_per_node(int ranks) { ranks_per_node_ = ranks; }
  void set_node(int node) { node_ = node; }
  void fail_node() { node_fails_ = true; }
  /// Lets this many calls succeed. The next one throws.
  void fail_after(long calls) { left_ = calls; }
  [[nodiscard]] int fails() const { return fails_; }
  [[nodiscard]] long calls() const { return calls_; }

 private:
  void before_call() {
    ++calls_;
    if (left_ >= 0 && left_-- == 0) throw std::runtime_error("the wire is cut");
  }

  ThreadMail& mail_;
  int rank_;
  int ranks_per_node_ = 1 << 20;
  int node_ = -1;  ///< a negative one: see ranks_per_node_
  bool node_fails_ = false;
  long left_ = -1;
  long calls_ = 0;
  int fails_ = 0;
};

/// Runs `program` on `size` threads, and throws what the lowest rank throws.
template <class Program>
void run_threads(int size, Program&& program) {
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  threads.reserve(failures.size());
  for (int r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      try {
        program(r);
      } catch (...) {
        failures[static_cast<std::size_t>(r)] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

/// Runs `program(communicator, rank)` on `size` threads, each with a Communicator of its own.
inline void run_with_communicators(
    int size, const std::function<void(const Communicator&, ThreadRank&)>& program) {
  ThreadMail mail(size);
  run_threads(size, [&](int r) {
    const auto rank = std::make_shared<ThreadRank>(mail, r);
    program(user_communicator(rank), *rank);
  });
}

}  // namespace onecast::test
