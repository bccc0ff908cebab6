#pragma once

#include <memory>
#include <utility>

#include "transport/factory.hpp"
#include "transport/lazy_transport.hpp"

namespace onecast::test {

using namespace transport;

/// Opens files at the first use.
inline TransportFactory lazy_factory(TransportFactory inner) {
  return [inner = std::move(inner)](const std::string& path, OpenMode mode) {
    return std::make_unique<LazyTransport>([inner, path, mode] { return inner(path, mode); });
  };
}

}  // namespace onecast::test
