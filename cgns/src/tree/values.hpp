#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "grammar/failure.hpp"
#include "tree/node.hpp"

/// Reads of whole small values of nodes. All functions throw Failure, which names the node.
namespace onecast::cgns {

/// Returns the elements of a node's value, converted to `type`; empty if there is no value.
std::vector<std::byte> read_value(Node& node, ValueType type);

namespace detail {
std::vector<std::int32_t> narrowed(Node& node, const std::vector<std::int64_t>& wide);
}

/// Returns the numbers of a node's value. T is float, double, int32 or int64. Throws Failure if a
/// number does not fit T.
template <class T>
std::vector<T> read_numbers(Node& node) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return detail::narrowed(node, read_numbers<std::int64_t>(node));
  } else {
    const auto bytes = read_value(node, value_type<T>());
    std::vector<T> numbers(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }
}
/// Returns the numbers. Throws Failure if there are not as many as expected.
template <class T>
std::vector<T> read_numbers(Node& node, std::size_t expected) {
  auto numbers = read_numbers<T>(node);
  if (numbers.size() != expected)
    throw failure(node.path(), " has ", numbers.size(), " numbers, not ", expected);
  return numbers;
}

/// Returns a value of type C1.
std::string read_text(Node& node);

}  // namespace onecast::cgns
