#pragma once

#include "base/namespaces.hpp"
#include "collective/stripe_layout.hpp"
#include "transport/factory.hpp"

namespace onecast::collective {

/// Files that `inner` is to create are made beforehand, with the striping that `wanted` asks for
/// where the file system takes such requests (Lustre); elsewhere, and if it refuses, `wanted` has
/// no effect. What came of it, find_stripe_layout tells. `inner` opens files of the system.
TransportFactory striped_factory(TransportFactory inner, const StripeOptions& wanted);

}  // namespace onecast::collective
