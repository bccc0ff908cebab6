#pragma once

#include <memory>

#include "onecast/base/language.hpp"

namespace onecast {

namespace comm {
class CommunicatorBackend;
}

/// The processes that open a file together. Copies are cheap and refer to one communicator.
///
/// A default Communicator is this process alone; `onecast/comm/mpi.hpp` makes one from an MPI_Comm.
/// Files hold a copy of the communicator with which they were opened.
class Communicator {
 public:
  /// Makes a communicator of this process alone. @independent
  Communicator();
  /// For Onecast's own layers and tests. Throws Error (invalid_argument) if `backend` is null.
  explicit Communicator(std::shared_ptr<comm::CommunicatorBackend> backend);

  /// The rank of this process, 0 ... size() - 1. @independent
  [[nodiscard]] int rank() const;
  /// The number of processes. @independent
  [[nodiscard]] int size() const;

  /// For Onecast's own layers. @independent
  [[nodiscard]] comm::CommunicatorBackend& backend() const { return *backend_; }
  /// For Onecast's own layers. True if this is the only copy in this process.
  /// @independent
  [[nodiscard]] bool is_the_only_one() const { return backend_.use_count() == 1; }

 private:
  std::shared_ptr<comm::CommunicatorBackend> backend_;
};

}  // namespace onecast
