#include "support/transport_conformance.hpp"
#include "transport/fault_transport.hpp"
#include "transport/memory_transport.hpp"

namespace onecast::test {
namespace {

TransportFactory in_memory() { return memory_factory(std::make_shared<MemoryDisk>()); }

TransportFactory counted() {
  static IoStats stats;
  return counting_factory(posix_factory(), stats);
}

INSTANTIATE_TEST_SUITE_P(
    , TransportConformance,
    testing::Values(TransportCase{"posix", [] { return posix_factory(); }},
                    TransportCase{"memory", in_memory}, TransportCase{"counting", counted},
                    TransportCase{
                        "fault",
                        [] { return fault_factory(in_memory(), std::make_shared<FaultPlan>()); }},
                    TransportCase{"lazy", [] { return lazy_factory(posix_factory()); }}),
    name_of);

}  // namespace
}  // namespace onecast::test
