#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

#include "base/namespaces.hpp"
#include "onecast/objects/pending.hpp"

namespace onecast::files {

class FileState;

/// A call that was begun, shared by its handle and the thread that carries it out.
struct PendingCall {
  explicit PendingCall(std::shared_ptr<FileState> of) : file(std::move(of)) {}

  /// Kept until the call was waited for: the caller holds the last reference.
  std::shared_ptr<FileState> file;
  std::uint64_t number = 0;    ///< its number in Progress; 0: it was carried out when it was begun
  std::exception_ptr failure;  ///< set when the call is done
};

/// Carries out `work` on a thread beside the caller, after everything that was begun before on the
/// ranks of `file`; immediately if there can be no thread for it. wait() throws what `work` throws.
Pending begin_call(FileState& file, std::function<void()> work);

}  // namespace onecast::files
