#pragma once

#include <string>
#include <string_view>

namespace onecast::cgns {

inline constexpr std::size_t kLongestName = 32;

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);
/// The name of a new node, without blanks at both ends. Throws Failure unless it has 1 to 32 bytes,
/// no '/', and is neither "." nor "..".
std::string checked_name(const char* name);

}  // namespace onecast::cgns
