#pragma once

#include <span>
#include <string_view>

namespace onecast::cgns {

/// The texts of an enum's values, by the name of the enum in enums.toml; none for another name.
std::span<const char* const> names_of_enum(std::string_view name);

}  // namespace onecast::cgns
