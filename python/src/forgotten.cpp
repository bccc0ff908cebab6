// Closes files that the program forgot.
//
// Python may collect them at any time, even in a function that the core waits for. Nothing can use
// the core then, neither on that thread nor on a thread that the function waits for. So the files
// wait until the call of the core has ended.

#include "forgotten.hpp"

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "bindings.hpp"

namespace {

/// The functions that close the files. The GIL guards them; never destroyed.
std::deque<nb::object>& waiting() {
  static auto& all = *new std::deque<nb::object>;
  return all;
}

/// The thread that ends the program, once the end has begun.
std::atomic<unsigned long>& ending_thread() {
  static std::atomic<unsigned long> thread{0};
  return thread;
}

/// Returns true if it got the core's lock. It does not wait long, since the holder of the lock may
/// wait for this thread, directly or indirectly.
bool take(std::unique_lock<std::shared_timed_mutex>& core) {
  constexpr std::chrono::microseconds kPause(100);
  while (!core.try_lock()) {
    if (CallFromCore::running() > 0 && ending_thread() == 0) return false;
    const ReleasedGil released;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

void close_next() {
  const nb::object close = std::move(waiting().front());
  waiting().pop_front();
  try {
    call_python(close);
  } catch (nb::python_error& error) {
    error.discard_as_unraisable(close);
  }
}

/// @param close a callable; its errors are reported, but not raised
void close_when_free(nb::object close) {
  waiting().push_back(std::move(close));
  Afterwards::is_wanted() = true;
  const Afterwards now;
}

}  // namespace

bool is_left_behind() {
  const unsigned long ending = ending_thread();
  return ending != 0 && ending != PyThread_get_thread_ident();
}

void Afterwards::close_forgotten() noexcept {
  if (role() != Role::outside) return;
  const nb::error_scope kept;
  std::unique_lock core(core_mutex(), std::defer_lock);
  if (!take(core)) return;
  const As closing(Role::has_core);
  while (!waiting().empty()) close_next();
  is_wanted() = false;
}

void bind_forgotten(nb::module_& m) {
  m.def("close_when_free", &close_when_free, nb::arg("close"));
  m.def("end_program", [] { ending_thread() = PyThread_get_thread_ident(); });
}
