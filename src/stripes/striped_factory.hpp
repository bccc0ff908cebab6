#pragma once

#include "base/namespaces.hpp"
#include "stripes/stripe_layout.hpp"
#include "transport/factory.hpp"

namespace onecast::stripes {

/// Creates files before `inner` opens them, with the striping `wanted`, where the file system takes
/// such requests (Lustre). Elsewhere, and if the file system refuses, `wanted` has no effect;
/// find_stripe_layout tells the result. `inner` opens files of the system.
TransportFactory striped_factory(TransportFactory inner, const StripeOptions& wanted);

}  // namespace onecast::stripes
