#pragma once

#include <exception>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"

namespace onecast::tree {

struct PendingCall;

/// Errors of calls that nobody has waited for yet.
class UntoldErrors {
 public:
  void add(const PendingCall& call, std::exception_ptr error);
  /// Its handle told it.
  void remove(const PendingCall& call);
  /// Its handle is gone.
  void abandon(const PendingCall& call);

  /// Is there one that no handle can tell? Or, if it is the last chance, any?
  [[nodiscard]] bool any(bool last_chance) const;
  /// The first of those; forgets all of them.
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

}  // namespace onecast::tree
