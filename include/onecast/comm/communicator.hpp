#pragma once

#include <memory>

namespace onecast {

class CommunicatorBackend;

/// The processes that open a file together. A copy is cheap and means the same communicator.
///
/// The default is this process alone; `onecast/comm/mpi.hpp` makes one from an MPI_Comm. Files
/// opened with a communicator hold a copy of it.
class Communicator {
 public:
  /// This process alone. @independent
  Communicator();
  /// For Onecast's own layers and tests. Throws Error (invalid_argument) if `backend` is null.
  explicit Communicator(std::shared_ptr<CommunicatorBackend> backend);

  /// This process's number, 0 ... size() - 1. @independent
  [[nodiscard]] int rank() const;
  /// How many processes there are. @independent
  [[nodiscard]] int size() const;

  /// For Onecast's own layers.
  [[nodiscard]] CommunicatorBackend& backend() const { return *backend_; }
  /// Likewise: does nothing else on this process hold a copy?
  [[nodiscard]] bool is_the_only_one() const { return backend_.use_count() == 1; }

 private:
  std::shared_ptr<CommunicatorBackend> backend_;
};

}  // namespace onecast
