#pragma once

#include <string>

#include "base/namespaces.hpp"
#include "collective/stripe_layout.hpp"

namespace onecast::collective {

/// Asks the system about the file at `path`; what it does not tell is as in `options`, or assumed.
/// Of a composite Lustre file, the last component is what counts, those before are fronts. The
/// environment variable ONECAST_PRETEND_STRIPES=SIZE:COUNT wins over everything. Throws nothing.
StripeLayout find_stripe_layout(const std::string& path, const StripeOptions& options = {});

}  // namespace onecast::collective
