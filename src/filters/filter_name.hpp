#pragma once

#include <cstdint>
#include <string_view>

#include "base/namespaces.hpp"

namespace onecast::filters {

/// The common name of a filter number ("zstd" for 32015), or nothing.
std::string_view filter_name(std::uint16_t id);

}  // namespace onecast::filters
