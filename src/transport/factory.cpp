#include "transport/factory.hpp"

#include <utility>

#include "transport/counting_transport.hpp"
#include "transport/posix_transport.hpp"

namespace onecast::transport {

TransportFactory posix_factory() {
  return replacing_factory([](const std::string& path, OpenMode mode) {
    return std::make_unique<PosixTransport>(path, mode);
  });
}

TransportFactory counting_factory(TransportFactory inner, IoStats& stats) {
  return [inner = std::move(inner), &stats](const std::string& path, OpenMode mode) {
    auto opened = inner(path, mode);
    ++stats.opens;
    return std::make_unique<CountingTransport>(std::move(opened), stats);
  };
}

}  // namespace onecast::transport
