#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace onecast::cgns {

/// A child that a node of some label may have. label_table.hpp fills the rows.
template <class Label>
struct ChildRow {
  Label label;
  std::string_view name = {};  ///< empty: any
  bool many = false;           ///< any number of them; otherwise one
  bool required = false;       ///< cg_delete_node refuses it
};

/// Rows of children that may stand many times, or once, under any name.
template <class Label, class... Labels>
constexpr auto many(Label first, Labels... others) {
  return std::array{ChildRow<Label>{first, {}, true}, ChildRow<Label>{others, {}, true}...};
}
template <class Label, class... Labels>
constexpr auto single(Label first, Labels... others) {
  return std::array{ChildRow<Label>{first}, ChildRow<Label>{others}...};
}
/// The row of a child with a fixed name.
template <class Label>
constexpr auto one(Label label, std::string_view name) {
  return std::array{ChildRow<Label>{label, name}};
}
template <class Label>
constexpr auto required(Label label, std::string_view name) {
  return std::array{ChildRow<Label>{label, name, false, true}};
}
/// Joins lists of rows.
template <class First, class... Lists>
constexpr auto children(const First& first, const Lists&... others) {
  std::array<typename First::value_type,
             (std::tuple_size_v<First> + ... + std::tuple_size_v<Lists>)>
      all{};
  auto end = all.begin();
  const auto add = [&](const auto& list) { end = std::copy(list.begin(), list.end(), end); };
  add(first);
  (add(others), ...);
  return all;
}

/// The contents of a child of some name, if they are more restricted than its label says. Empty
/// texts: no further restriction.
struct HeldRow {
  std::string_view name;  ///< empty: all arrays without a row of their own
  std::string_view types = {};
  std::string_view dimensions = {};
  std::string_view of = {};
  bool required = false;  ///< required only by the check of a file
};

/// The description of a label. Texts are the lists of labels.toml, separated by blanks.
template <class Label>
struct LabelRow {
  std::string_view label = {};
  std::string_view types = {};
  std::string_view dimensions = {};
  std::string_view value = {};
  std::string_view of = {};  ///< values of that enum; empty: all
  std::span<const ChildRow<Label>> children = {};
  bool alternatives = false;  ///< one of the required children suffices
  std::span<const HeldRow> holds = {};
};

}  // namespace onecast::cgns
