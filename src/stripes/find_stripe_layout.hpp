#pragma once

#include <string>

#include "base/namespaces.hpp"
#include "stripes/stripe_layout.hpp"

namespace onecast::stripes {

/// Asks the system about the file at `path`. What the system does not tell is taken from `options`,
/// or assumed. In a composite Lustre file, the last component gives the layout, and those before it
/// are fronts. The environment variable ONECAST_PRETEND_STRIPES=SIZE:COUNT overrides everything.
/// Never throws.
StripeLayout find_stripe_layout(const std::string& path, const StripeOptions& options = {});

}  // namespace onecast::stripes
