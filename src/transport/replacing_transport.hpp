#pragma once

#include "base/namespaces.hpp"
#include "transport/factory.hpp"

namespace onecast::transport {

/// Opens files of the system with OpenMode::replace by means of `inner`, which does not know it:
/// the new file lies beside the old one, until it is renamed.
TransportFactory replacing_factory(TransportFactory inner);

}  // namespace onecast::transport
