#pragma once

#include <memory>

#include "onecast/capi/random_access_file.h"
#include "onecast/transport/random_access_file.hpp"

namespace onecast::capi {

/// What the functions of C stand for. The context is released when it goes, or if this throws
/// Error (invalid_argument): a function is missing.
std::shared_ptr<RandomAccessFile> bytes_of_c(const onecast_random_access_file& functions);

}  // namespace onecast::capi
