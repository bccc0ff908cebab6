#include "objects/files/pending_call.hpp"

#include <utility>

#include "base/make_error.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::files {

Pending begin_call(FileState& file, std::function<void()> work) {
  auto call = std::make_shared<PendingCall>(file.shared_from_this());
  auto carry_out = [call, work = std::move(work)] {
    try {
      work();
    } catch (...) {
      call->failure = std::current_exception();
      call->file->untold().add(*call, call->failure);
    }
  };
  Progress& progress = file.comm().progress();
  if (!file.allows_threads()) {
    carry_out();
    return Pending(std::move(call));
  }
  if (progress.is_idle()) file.nodes().look_at_datasets();
  call->number = progress.begin(std::move(carry_out));
  return Pending(std::move(call));
}

}  // namespace onecast::files

namespace onecast {

using namespace files;

namespace {

// Every access to a handle calls wait_until_idle(): the rare cases are kept out of line.
[[gnu::noinline]] void wait_for_calls(const FileState& file) {
  file.comm().progress().wait_for_all();
}

[[gnu::noinline]] void make_ready(const Node& node, const FileOpening* opening) {
  wait_for_calls(file_of(node));
  if (node.is_forgotten()) file_of(node).nodes().recall(const_cast<Node&>(node));
  if (opening != nullptr) opening->require_usable();
}

}  // namespace

void detail::wait_until_idle(const FileState& file, const FileOpening* opening) {
  if (!file.comm().progress().is_idle()) wait_for_calls(file);
  if (opening != nullptr) opening->require_usable();
}

void detail::wait_until_idle(const Node& node, const FileOpening* opening) {
  if (!file_of(node).comm().progress().is_idle() || node.is_forgotten())
    return make_ready(node, opening);
  if (opening != nullptr) opening->require_usable();
}

void Pending::wait() {
  if (!call_) return;
  if (call_->file) {
    Progress& progress = call_->file->comm().progress();
    progress.wait(call_->number);
    if (progress.is_lost(call_->number))
      throw state_error("{}: the call was begun by another process, which then forked",
                        call_->file->path());
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
