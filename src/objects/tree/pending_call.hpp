#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

#include "base/namespaces.hpp"
#include "onecast/objects/pending.hpp"

namespace onecast::tree {

class FileState;

/// What was begun, as its handle and whoever carries it out see it.
struct PendingCall {
  explicit PendingCall(std::shared_ptr<FileState> of) : file(std::move(of)) {}

  std::shared_ptr<FileState> file;  ///< until it was waited for: the last one goes with the caller
  std::uint64_t number = 0;         ///< for Progress; 0: done when it was begun
  std::exception_ptr failure;       ///< once it is done
};

/// Carries `work`, whatever it is, out beside the caller, after all that was begun before it on the
/// ranks of `file`; at once where there can be no thread for it. What it throws, wait() does.
Pending begin_call(FileState& file, std::function<void()> work);

}  // namespace onecast::tree
