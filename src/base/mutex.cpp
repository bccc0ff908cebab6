#include "base/mutex.hpp"

#include <pthread.h>

#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include "onecast/base/error.hpp"

namespace onecast {
namespace {

std::atomic<std::uint32_t> forks{0};

}  // namespace

std::uint32_t forks_so_far() { return forks.load(std::memory_order_relaxed); }

/// The handlers of fork. The list of global mutexes is complete before a program has threads.
class AtFork {
 public:
  static AtFork& of_this_process() {
    // Never destroyed: a process may fork while it ends.
    static auto& all = *new AtFork;
    return all;
  }

  void add(GlobalMutex& mutex) { mutexes_.push_back(&mutex); }

 private:
  AtFork() {
    pthread_atfork([] { of_this_process().prepare(); }, [] { of_this_process().go_on(); },
                   [] { of_this_process().begin_process(); });
  }

  /// Locks all mutexes, whatever the order in which other threads lock them. Gives up after a
  /// second, since the forking thread itself may have locked one.
  void prepare() {
    forks.fetch_add(1, std::memory_order_relaxed);
    constexpr std::chrono::microseconds kPause{100};
    constexpr int kMostTries = 10'000;
    for (int tries = 0; !try_to_take_all() && tries < kMostTries; ++tries) {
      GlobalMutex::fork_waits = true;
      std::this_thread::sleep_for(kPause);
    }
    GlobalMutex::fork_waits = false;
  }
  bool try_to_take_all() {
    for (; taken_ < mutexes_.size(); ++taken_)
      if (!mutexes_[taken_]->inner_.try_lock()) {
        go_on();
        return false;
      }
    return true;
  }
  void go_on() {
    for (; taken_ > 0; --taken_) mutexes_[taken_ - 1]->inner_.unlock();
  }
  /// Called in the new process, which has one thread.
  void begin_process() {
    for (GlobalMutex* mutex : mutexes_) std::construct_at(&mutex->inner_);
    taken_ = 0;
    detail::fork_generation.fetch_add(1, std::memory_order_relaxed);
  }

  std::vector<GlobalMutex*> mutexes_;
  std::size_t taken_ = 0;
};

namespace {

/// Created before there are threads, and before any lock of a file is used.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): nothing works without memory.
[[maybe_unused]] const AtFork& mutex_ready = AtFork::of_this_process();

/// The generation of the process in which a thread renews a lock; 0: none does. The generation of a
/// parent process has no meaning.
std::atomic<std::uint32_t> renewing{0};

}  // namespace

namespace detail {

std::atomic<std::uint32_t> fork_generation{1};

ForkGeneration::Turn::Turn() {
  for (;;) {
    std::uint32_t owner = renewing.load();
    const std::uint32_t now = fork_generation.load(std::memory_order_relaxed);
    if (owner != now && renewing.compare_exchange_weak(owner, now)) return;
    std::this_thread::yield();
  }
}
ForkGeneration::Turn::~Turn() { renewing.store(0); }

void ForkGeneration::fail() {
  throw Error(ErrorCode::state,
              "this process was forked while another thread was in a call of the file, which it "
              "cannot use any more: open the file here once more");
}

}  // namespace detail

void GlobalMutex::let_the_fork_go_first() {
  std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

GlobalMutex::GlobalMutex() { AtFork::of_this_process().add(*this); }

}  // namespace onecast
