#include "objects/tree/pending_call.hpp"

#include <algorithm>
#include <utility>

#include "objects/tree/file_state.hpp"

namespace onecast {

void UntoldErrors::add(const PendingCall& call) {
  const std::scoped_lock lock(mutex_);
  errors_.push_back({&call, call.failure});
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

Pending begin_call(FileState& file, std::function<void()> work) {
  auto call = std::make_shared<PendingCall>(file.shared_from_this());
  auto carry_out = [call, work = std::move(work)] {
    try {
      work();
    } catch (...) {
      call->failure = std::current_exception();
      call->file->untold().add(*call);
    }
  };
  Progress& progress = file.comm().progress();
  if (!file.allows_threads()) {
    carry_out();
    return Pending(std::move(call));
  }
  if (progress.is_idle()) file.look_at_datasets();
  call->number = progress.begin(std::move(carry_out));
  return Pending(std::move(call));
}

void settle(const FileState& file) { file.comm().progress().wait_for_all(); }
void settle(const Node& node) {
  settle(*node.file);
  if (node.is_forgotten()) node.file->recall(const_cast<Node&>(node));
}

void Pending::wait() {
  if (!call_) return;
  if (call_->file) {
    call_->file->comm().progress().wait(call_->number);
    const auto file = std::exchange(call_->file, nullptr);
    if (call_->failure) file->untold().remove(*call_);
  }
  if (call_->failure) std::rethrow_exception(call_->failure);
}

bool Pending::is_done() const {
  return !call_ || !call_->file || call_->file->comm().progress().is_done(call_->number);
}

void Pending::abandon() noexcept {
  if (!call_ || !call_->file) return;
  call_->file->comm().progress().wait(call_->number);
  const auto file = std::exchange(call_->file, nullptr);
  if (call_->failure) file->untold().abandon(*call_);
}

Pending& Pending::operator=(Pending&& other) noexcept {
  if (this != &other) {
    abandon();
    call_ = std::move(other.call_);
  }
  return *this;
}

}  // namespace onecast
