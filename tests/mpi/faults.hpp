#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "onecast/comm/communicator.hpp"
#include "support/fault_transport.hpp"
#include "transport/factory.hpp"

namespace onecast::test {

using namespace transport;

using Call = FaultPlan::Call;

/// Faults on one rank. The plans of the other ranks stay empty.
struct Faults {
  std::shared_ptr<FaultPlan> plan = std::make_shared<FaultPlan>();
  bool mine;

  [[nodiscard]] TransportFactory factory() const { return fault_factory(posix_factory(), plan); }
  /// From now on, call number `number` of its kind fails, `count` times.
  void fail(Call call, std::uint64_t number = 1, std::uint64_t count = 1,
            std::size_t written_before = 0) const {
    plan->reads = plan->writes = plan->syncs = 0;
    plan->faults.clear();
    if (mine) plan->faults.push_back({call, number, EIO, written_before, count});
  }
  void stop() const { plan->faults.clear(); }
};

inline Faults faults_on(int failing, const Communicator& communicator) {
  return {.mine = communicator.rank() == failing};
}

}  // namespace onecast::test
