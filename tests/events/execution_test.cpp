#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "execution/executor.hpp"
#include "execution/serial_queue.hpp"
#include "execution/timer.hpp"
#include "model/pool.hpp"

namespace onecast::events {
namespace {

using namespace std::chrono_literals;

TEST(ExecutorTest, EndsWhenAllTasksHaveRun) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> done = 0;
    {
      // Whichever executor ends first spawns tasks on the other.
      const auto waiting = waiting_thread();
      const auto computing = computing_threads(3);
      for (int i = 0; i < 50; ++i)
        computing->spawn([&] {
          ++done;
          waiting->spawn([&] { ++done; });
          computing->spawn([&] { ++done; });
        });
    }
    ASSERT_EQ(done, 150);
  }
}

TEST(ExecutorTest, AWaitingThreadKeepsTheOrder) {
  std::vector<int> order;
  {
    const auto waiting = waiting_thread();
    for (int i = 0; i < 100; ++i) waiting->spawn([&order, i] { order.push_back(i); });
  }
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(ExecutorTest, AsManyTasksRunAtOnceAsThereAreThreads) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  {
    const auto computing = computing_threads(3);
    for (int i = 0; i < 30; ++i)
      computing->spawn([&] {
        int seen = ++running;
        for (int before = most; before < seen && !most.compare_exchange_weak(before, seen);) {
        }
        std::this_thread::sleep_for(1ms);
        --running;
      });
  }
  EXPECT_LE(most, 3);
}

/// Expects that the tasks of a queue never run at the same time: what they change has no lock.
void expect_one_at_a_time(Executor& pushing, std::unique_ptr<Executor> executor) {
  constexpr int kPushers = 4;
  constexpr int kEach = 200;
  std::vector<std::pair<int, int>> order;
  std::atomic<int> left = kPushers;
  SerialQueue queue(*executor);
  for (int pusher = 0; pusher < kPushers; ++pusher)
    pushing.spawn([&, pusher] {
      for (int i = 0; i < kEach; ++i)
        queue.push([&order, pusher, i] { order.emplace_back(pusher, i); });
      --left;
    });
  while (left != 0) std::this_thread::yield();
  executor.reset();
  ASSERT_EQ(order.size(), static_cast<std::size_t>(kPushers * kEach));
  std::vector<int> next(kPushers);
  for (const auto& [pusher, i] : order) EXPECT_EQ(i, next[static_cast<std::size_t>(pusher)]++);
}

TEST(SerialQueueTest, RunsOneTaskAtATimeInOrder) {
  const auto pushing = computing_threads(4);
  expect_one_at_a_time(*pushing, computing_threads(3));
  expect_one_at_a_time(*pushing, waiting_thread());
}

TEST(SerialQueueTest, ATaskMayPush) {
  std::vector<int> order;
  auto executor = computing_threads(2);
  SerialQueue queue(*executor);
  queue.push([&] {
    queue.push([&] { order.push_back(2); });
    order.push_back(1);  // runs before the other task, which waits for this one
  });
  executor.reset();
  EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(TimerTest, SpawnsInTheOrderOfTheTimes) {
  std::mutex mutex;
  std::vector<int> order;
  std::atomic<int> left = 3;
  const auto waiting = waiting_thread();
  Timer timer(*waiting);
  const auto start = std::chrono::steady_clock::now();
  for (const int time : {30, 10, 20})
    timer.after(std::chrono::milliseconds(time), [&, time] {
      EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(time));
      const std::lock_guard lock(mutex);
      order.push_back(time);
      --left;
    });
  while (left != 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(order, (std::vector{10, 20, 30}));
}

TEST(TimerTest, DropsWhatStillWaits) {
  bool ran = false;
  const auto waiting = waiting_thread();
  const auto start = std::chrono::steady_clock::now();
  {
    Timer timer(*waiting);
    timer.after(1h, [&] { ran = true; });
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1min);
  EXPECT_FALSE(ran);
}

TEST(PoolTest, AnObjectIsUsedAgainOnceNobodyHoldsIt) {
  Pool<std::vector<int>> pool;
  auto first = pool.take();
  const auto second = pool.take();
  EXPECT_NE(first, second);
  const std::vector<int>* const was = first.get();
  first->assign(100, 7);
  first.reset();
  const auto again = pool.take();
  EXPECT_EQ(again.get(), was);
  EXPECT_EQ(again->size(), 100U);
}

TEST(PoolTest, AnyThreadLetsGoAlsoAfterThePool) {
  std::vector<std::thread> threads;
  {
    Pool<std::vector<int>> pool;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&pool, held = pool.take()]() mutable {
        for (int i = 0; i < 100; ++i) {
          held->assign(10, i);
          EXPECT_EQ(held->front(), i);
          held.reset();
          std::this_thread::yield();
          if (i < 50) held = pool.take();
          if (!held) return;
        }
      });
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    threads.emplace_back([held = pool.take()] { EXPECT_TRUE(held); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace onecast::events
