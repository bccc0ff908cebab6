#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/failure.hpp"
#include "tree/node.hpp"

/// The extents of values: what the words of the table of labels stand for at a node.
namespace onecast::cgns {

/// What it returns; absent if it finds a node that is not sound, which a rule of that node tells.
template <class Look>
auto if_sound(const Look& look) -> decltype(look()) {
  try {
    return look();
  } catch (const Failure&) {
    return {};
  }
}

/// The words of a text with blanks between.
std::vector<std::string_view> words(std::string_view text);
/// Absent: any extent, or there is nothing that says it.
std::optional<std::uint64_t> extent_of(std::string_view word, Node& node);
/// How many points a node has a list or range of; absent if it has none.
std::optional<std::uint64_t> points_of(Node& node);

/// "5 x 2".
std::string text_of(const Dims& dims);
/// "5 x 2 (elements x 2)".
std::string text_of_expected(const std::vector<std::string_view>& dimensions, Node& node);

}  // namespace onecast::cgns
