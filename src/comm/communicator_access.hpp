#pragma once

#include <memory>
#include <utility>

#include "base/namespaces.hpp"
#include "onecast/comm/communicator.hpp"

namespace onecast::comm {

/// What Communicator keeps from programs.
struct CommunicatorAccess {
  /// @param backend not null
  static Communicator make(std::shared_ptr<CommunicatorBackend> backend) {
    return Communicator(std::move(backend));
  }
  static CommunicatorBackend& backend(const Communicator& communicator) {
    return *communicator.backend_;
  }
  /// True if this is the only copy in this process.
  static bool is_the_only_one(const Communicator& communicator) {
    return communicator.backend_.use_count() == 1;
  }
};

/// The collective operations of a communicator.
inline CommunicatorBackend& backend_of(const Communicator& communicator) {
  return CommunicatorAccess::backend(communicator);
}

}  // namespace onecast::comm
