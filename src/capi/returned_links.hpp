#pragma once

#include <span>

#include "onecast/capi/group.h"
#include "onecast/objects/group.hpp"

namespace onecast::capi {

/// Returns the links with their texts in one block.
onecast_link* returned_links(std::span<const Link> links);

}  // namespace onecast::capi
