#include "objects/files/untold_errors.hpp"

#include <algorithm>
#include <utility>

namespace onecast::files {

void UntoldErrors::add(const PendingCall& call, std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  errors_.push_back({&call, std::move(error)});
}

void UntoldErrors::remove(const PendingCall& call) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(errors_, [&](const Untold& u) { return u.call == &call; });
}

void UntoldErrors::abandon(const PendingCall& call) {
  const std::scoped_lock lock(mutex_);
  for (Untold& u : errors_)
    if (u.call == &call) u = {nullptr, u.error, true};
}

bool UntoldErrors::any(bool last_chance) const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(errors_, [&](const Untold& u) { return last_chance || u.abandoned; });
}

std::exception_ptr UntoldErrors::take(bool last_chance) {
  const std::scoped_lock lock(mutex_);
  std::exception_ptr first;
  std::erase_if(errors_, [&](const Untold& u) {
    if (!last_chance && !u.abandoned) return false;
    if (!first) first = u.error;
    return true;
  });
  return first;
}

}  // namespace onecast::files
