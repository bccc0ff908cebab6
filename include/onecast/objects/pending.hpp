#pragma once

#include <memory>
#include <utility>

namespace onecast {

namespace files {
struct PendingCall;
}

/// A call that was begun by a function whose name ends in _async. It may run while its caller
/// computes. A thread of Onecast carries out the calls of a file, or of all files opened with one
/// Communicator, in the order in which they were begun. With MPI this needs MPI_THREAD_MULTIPLE;
/// otherwise the call is complete when the function returns.
///
/// - Until wait() returns, the caller must not use memory that the call reads into, and must not
///   change memory that it writes from.
/// - Any other call on the file waits for all calls that were begun before it. Exceptions: asking a
///   dataset for its type or shape, comparing handles, and beginning another call.
/// - A @collective call is begun by all ranks, in one order with all collective calls of the file.
///
/// A Pending that is destroyed without wait() waits. The next flush throws the error of such a
/// call, on all ranks, after it has written everything else. close throws the errors of all calls
/// that were not waited for.
class Pending {
 public:
  /// Makes a Pending without a call; is_done() is true.
  Pending() noexcept = default;
  explicit Pending(std::shared_ptr<files::PendingCall> call) noexcept : call_(std::move(call)) {}
  Pending(Pending&& other) noexcept = default;
  Pending& operator=(Pending&& other) noexcept;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() { abandon(); }

  /// Waits until the call is complete, and throws its error; all ranks throw the error of a
  /// @collective call. A further wait() throws it again. @independent
  void wait();
  /// True if wait() would return at once. @independent
  [[nodiscard]] bool is_done() const;

 private:
  void abandon() noexcept;

  std::shared_ptr<files::PendingCall> call_;
};

}  // namespace onecast
