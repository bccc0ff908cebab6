#pragma once

#include <string>
#include <string_view>

namespace onecast::cgns {

inline constexpr std::size_t kLongestName = 32;

/// Removes the blanks at both ends.
std::string_view trimmed(std::string_view text);
/// Shortens a text to at most `length` characters. Leaves out the middle of its longest word, which
/// is the name of a file, so that the reason stays; if that is not enough, the middle of the text.
std::string shortened(std::string_view text, std::size_t length);
/// Returns the name of a new node, without blanks at both ends. Throws Failure unless it has 1 to
/// 32 bytes, no '/', and is neither "." nor "..".
std::string checked_name(const char* name);

}  // namespace onecast::cgns
