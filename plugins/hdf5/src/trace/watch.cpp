#include "trace/watch.hpp"

#include <atomic>
#include <chrono>
#include <utility>

namespace onecast_hdf5 {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<Clock::rep> spent{0};
thread_local Clock::time_point since;
thread_local int depth = 0;  ///< callbacks may lead to others

void stop() { spent += (Clock::now() - since).count(); }

}  // namespace

double Watch::seconds() {
  return std::chrono::duration<double>(Clock::duration(spent.load())).count();
}

void Watch::enter() {
  if (depth++ == 0) since = Clock::now();
}

void Watch::leave() {
  if (--depth == 0) stop();
}

int Watch::pause() {
  if (depth > 0) stop();
  return std::exchange(depth, 0);
}

void Watch::go_on(int before) {
  depth = before;
  since = Clock::now();
}

}  // namespace onecast_hdf5
