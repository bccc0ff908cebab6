// Restores the module in a process that was forked while other threads used it.

#include <pthread.h>

#include <chrono>
#include <memory>

#include "bindings.hpp"
#include "onecast/objects/file.hpp"

namespace {

enum class Held : unsigned char { nothing, shared, alone };

/// The way in which the forking thread holds the core's lock during the fork.
Held& held() {
  static thread_local Held now = Held::nothing;
  return now;
}

/// Records that this thread holds the lock, so that other hooks and the garbage collector, which
/// run on this thread until the fork, do not wait for it.
void hold(Held how) {
  held() = how;
  role() = how == Held::alone    ? Role::has_core
           : how == Held::shared ? Role::called_by_core
                                 : Role::outside;
}

/// Called by Python before a fork. Waits until no other thread is inside a call that changes
/// something, preferably until none is inside any call. The wait is limited: a call may wait for
/// something that this thread has to do.
void before_fork() {
  using std::chrono::milliseconds;
  constexpr milliseconds kForReaders{200};
  constexpr milliseconds kForWriters{800};
  if (role() != Role::outside) return;  // this thread has it already
  const ReleasedGil released;
  if (core_mutex().try_lock_for(kForReaders))
    hold(Held::alone);
  else if (core_mutex().try_lock_shared_for(kForWriters))
    hold(Held::shared);
}

/// Called in the parent process after a fork.
void go_on() {
  if (held() == Held::nothing) return;
  held() == Held::alone ? core_mutex().unlock() : core_mutex().unlock_shared();
  hold(Held::nothing);
}

/// Called in the child process after a fork, also after a fork by C code, which does not call
/// before_fork().
void begin_process() noexcept {
  const bool is_held = held() != Held::nothing;
  const bool is_in_call = !is_held && role() != Role::outside;
  const bool is_only_read = core_mutex().try_lock_shared();
  // The old lock is never destroyed: the threads that hold it do not exist here.
  std::construct_at(&core_mutex());
  if (is_held) hold(Held::nothing);
  CallFromCore::running() = is_in_call && role() == Role::called_by_core ? 1 : 0;
  if (is_in_call)  // the call unlocks it
    is_only_read ? core_mutex().lock_shared() : core_mutex().lock();
  else if (!is_held && !is_only_read)
    onecast::File::leave_all_behind();
}

}  // namespace

void bind_fork(nb::module_& m) {
  pthread_atfork(nullptr, nullptr, begin_process);
  m.def("before_fork", &before_fork);
  m.def("after_fork_in_parent", &go_on);
}
