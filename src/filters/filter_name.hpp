#pragma once

#include <cstdint>
#include <string_view>

namespace onecast {

/// The common name of a filter number ("zstd" for 32015), or nothing.
std::string_view filter_name(std::uint16_t id);

}  // namespace onecast
