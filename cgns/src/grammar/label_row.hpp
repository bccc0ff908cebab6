#pragma once

#include <span>
#include <string_view>

namespace onecast::cgns {

/// What may stand below a node of some label. Filled by label_table.hpp.
template <class Label>
struct ChildRow {
  Label label;
  std::string_view name;  ///< empty: any
  bool many = false;      ///< any number of them; else one
  bool required = false;  ///< cg_delete_node refuses it
};

/// What a child of some name holds, where its own label leaves more open. Empty texts: no more than
/// that.
struct HeldRow {
  std::string_view name;  ///< empty: each array that has no row of its own
  std::string_view types;
  std::string_view dimensions;
  std::string_view of;
  bool required = false;  ///< only checking demands it
};

/// What a node of some label is. Texts are those of labels.toml, with blanks between.
template <class Label>
struct LabelRow {
  std::string_view label;
  std::string_view types;
  std::string_view dimensions;
  std::string_view value;
  std::string_view of;  ///< values of that enum; empty: all
  std::span<const ChildRow<Label>> children;
  bool alternatives = false;  ///< one of the required children suffices
  std::span<const HeldRow> holds = {};
};

}  // namespace onecast::cgns
