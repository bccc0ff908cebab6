#pragma once

#include <memory>

#include "onecast/base/language.hpp"

namespace onecast {

namespace comm {
class CommunicatorBackend;
struct CommunicatorAccess;
}  // namespace comm

/// The processes that open a file together. Copies are cheap and refer to one communicator.
///
/// A default Communicator is this process alone; `onecast/comm/mpi.hpp` makes one from an MPI_Comm.
/// Files hold a copy of the communicator with which they were opened.
class Communicator {
 public:
  /// Makes a communicator of this process alone. @independent
  Communicator();

  /// The rank of this process, 0 ... size() - 1. @independent
  [[nodiscard]] int rank() const;
  /// The number of processes. @independent
  [[nodiscard]] int size() const;

 private:
  friend struct comm::CommunicatorAccess;
  explicit Communicator(std::shared_ptr<comm::CommunicatorBackend> backend);

  std::shared_ptr<comm::CommunicatorBackend> backend_;
};

}  // namespace onecast
