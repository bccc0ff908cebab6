#pragma once

#include "onecast/capi/file.h"
#include "onecast/objects/file.hpp"

namespace onecast::capi {

/// NULL: the defaults.
FileOptions file_options_of(const onecast_file_options* options);
Access access_of(onecast_access access);

}  // namespace onecast::capi
