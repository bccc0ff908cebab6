#pragma once

#include <memory>

#include "onecast/capi/random_access_file.h"
#include "onecast/transport/random_access_file.hpp"

namespace onecast::capi {

/// Makes a RandomAccessFile of functions of C. The context is released when the result is
/// destroyed. If a function is missing, releases the context and throws Error (invalid_argument).
std::shared_ptr<RandomAccessFile> bytes_of_c(const onecast_random_access_file& functions);

}  // namespace onecast::capi
