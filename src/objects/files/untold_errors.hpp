#pragma once

#include <exception>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"

namespace onecast::files {

struct PendingCall;

/// The errors of pending calls that nobody has waited for yet.
class UntoldErrors {
 public:
  void add(const PendingCall& call, std::exception_ptr error);
  /// Removes the error of a call whose handle has thrown it.
  void remove(const PendingCall& call);
  /// Notes that the call's handle is gone.
  void abandon(const PendingCall& call);

  /// Returns true if there is an error that no handle can throw any more; at the last chance, if
  /// there is any error.
  [[nodiscard]] bool any(bool last_chance) const;
  /// Returns the first of the errors that any() counts, and forgets all of these.
  std::exception_ptr take(bool last_chance);

 private:
  struct Untold {
    const PendingCall* call;
    std::exception_ptr error;
    bool abandoned = false;
  };

  mutable Mutex mutex_;
  std::vector<Untold> errors_;
};

}  // namespace onecast::files
