#include "trace/watch.hpp"

#include <atomic>
#include <chrono>
#include <utility>

namespace onecast_hdf5 {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<Clock::rep> spent{0};
thread_local Clock::rep since = 0;
thread_local int depth = 0;  ///< callbacks may lead to others

Clock::rep now() { return Clock::now().time_since_epoch().count(); }
void stop() { spent += now() - since; }

}  // namespace

double Watch::seconds() {
  return std::chrono::duration<double>(Clock::duration(spent.load())).count();
}

void Watch::enter() {
  if (depth++ == 0) since = now();
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
  since = now();
}

}  // namespace onecast_hdf5
