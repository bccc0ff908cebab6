#include "transport/factory.hpp"

#include <utility>

#include "transport/counting_transport.hpp"
#include "transport/fault_transport.hpp"
#include "transport/lazy_transport.hpp"
#include "transport/memory_transport.hpp"
#include "transport/posix_transport.hpp"

namespace onecast::transport {

TransportFactory posix_factory() {
  return replacing_factory([](const std::string& path, OpenMode mode) {
    return std::make_unique<PosixTransport>(path, mode);
  });
}

TransportFactory memory_factory(std::shared_ptr<MemoryDisk> disk) {
  return [disk = std::move(disk)](const std::string& path, OpenMode mode) {
    return disk->open(path, mode);
  };
}

TransportFactory counting_factory(TransportFactory inner, IoStats& stats) {
  return [inner = std::move(inner), &stats](const std::string& path, OpenMode mode) {
    auto opened = inner(path, mode);
    ++stats.opens;
    return std::make_unique<CountingTransport>(std::move(opened), stats);
  };
}

TransportFactory fault_factory(TransportFactory inner, std::shared_ptr<FaultPlan> plan) {
  return
      [inner = std::move(inner), plan = std::move(plan)](const std::string& path, OpenMode mode) {
        return std::make_unique<FaultTransport>(path, inner(path, mode), plan);
      };
}

TransportFactory lazy_factory(TransportFactory inner) {
  return [inner = std::move(inner)](const std::string& path, OpenMode mode) {
    return std::make_unique<LazyTransport>([inner, path, mode] { return inner(path, mode); });
  };
}

}  // namespace onecast::transport
