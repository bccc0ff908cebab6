#pragma once

#include <span>
#include <string_view>

namespace onecast::cgns {

/// Returns the texts of an enum's values, by the name of the enum in enums.toml; empty for an
/// unknown name.
std::span<const char* const> names_of_enum(std::string_view name);

}  // namespace onecast::cgns
