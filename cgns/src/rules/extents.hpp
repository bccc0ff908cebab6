#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/failure.hpp"
#include "tree/node.hpp"

/// The extents of values: the numbers that words of the table of labels stand for at a node.
namespace onecast::cgns {

/// Returns the result of look(); absent if it finds a damaged node, which a rule of that node
/// reports.
template <class Look>
auto if_sound(const Look& look) -> decltype(look()) {
  try {
    return look();
  } catch (const Failure&) {
    return {};
  }
}

/// Splits a text at blanks.
std::vector<std::string_view> words(std::string_view text);
/// Returns the number for a word; absent if any extent is allowed, or if no node determines it.
std::optional<std::uint64_t> extent_of(std::string_view word, Node& node);
/// Returns the number of points in the list or range of a node; absent if it has none.
std::optional<std::uint64_t> points_of(Node& node);

/// "5 x 2".
std::string text_of(const Dims& dims);
/// "5 x 2 (elements x 2)".
std::string text_of_expected(const std::vector<std::string_view>& dimensions, Node& node);

}  // namespace onecast::cgns
