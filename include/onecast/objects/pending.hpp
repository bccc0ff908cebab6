#pragma once

#include <memory>
#include <utility>

namespace onecast {

struct PendingCall;

/// A call that was begun, by a function whose name ends in _async, and may go on while its caller
/// computes. The calls of a file, or of several on one Communicator, are carried out in the order
/// they were begun, by a thread that Onecast starts for them; on ranks of MPI only if that was
/// initialized with MPI_THREAD_MULTIPLE, else before the function returns.
///
/// - The memory that such a call reads or writes is Onecast's until wait() has returned.
/// - Any other call on that file waits for all that were begun before it; but for asking a dataset
///   for its type, its shape, and what it has to do with this file, and for beginning the next.
/// - A @collective one is begun by all ranks, in one order with all collective calls of the file.
///
/// One that goes without wait() waits, and its error, if there is one, is thrown by the next flush,
/// on all ranks, when all else is in the file; so is, by close, that of one nobody waited for yet.
class Pending {
 public:
  /// Nothing, which is done.
  Pending() noexcept = default;
  explicit Pending(std::shared_ptr<PendingCall> call) noexcept : call_(std::move(call)) {}
  Pending(Pending&& other) noexcept = default;
  Pending& operator=(Pending&& other) noexcept;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() { abandon(); }

  /// Returns when it is done, or throws what it threw: a @collective call on all ranks. Once more:
  /// likewise. @independent
  void wait();
  /// Would wait() return at once? @independent
  [[nodiscard]] bool is_done() const;

 private:
  void abandon() noexcept;

  std::shared_ptr<PendingCall> call_;
};

}  // namespace onecast
