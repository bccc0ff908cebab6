#include "capi/random_access_file.hpp"
#include "support/fault_transport.hpp"
#include "support/memory_bytes.hpp"
#include "support/memory_transport.hpp"
#include "support/transport_conformance.hpp"
#include "transport/lazy_factory.hpp"
#include "transport/user_transport.hpp"

namespace onecast::test {

using namespace transport;
namespace {

TransportFactory in_memory() { return memory_factory(std::make_shared<MemoryDisk>()); }

TransportFactory counted() {
  static IoStats stats;
  return counting_factory(posix_factory(), stats);
}

/// Returns a factory of objects with the name of the opened file.
TransportFactory object(const std::function<std::shared_ptr<RandomAccessFile>(std::string)>& make) {
  return
      [make, file = std::shared_ptr<UserFile>()](const std::string& path, OpenMode mode) mutable {
        if (!file) file = std::make_shared<UserFile>(make(path));
        return user_factory(file)(path, mode);
      };
}
TransportFactory object_of_cpp() {
  return object([](std::string name) { return std::make_shared<MemoryBytes>(std::move(name)); });
}
TransportFactory object_of_c() {
  const auto bytes = std::make_shared<MemoryBytes>();
  return object([bytes](const std::string& name) {
    return capi::bytes_of_c(functions_of_c(*bytes, name.c_str()));
  });
}

INSTANTIATE_TEST_SUITE_P(
    , TransportConformance,
    testing::Values(TransportCase{"posix", [] { return posix_factory(); }},
                    TransportCase{"memory", in_memory}, TransportCase{"counting", counted},
                    TransportCase{
                        "fault",
                        [] { return fault_factory(in_memory(), std::make_shared<FaultPlan>()); }},
                    TransportCase{"object_of_cpp", object_of_cpp, true},
                    TransportCase{"object_of_c", object_of_c, true},
                    TransportCase{"lazy", [] { return lazy_factory(posix_factory()); }}),
    name_of);

}  // namespace
}  // namespace onecast::test
