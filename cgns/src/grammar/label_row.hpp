#pragma once

#include <span>
#include <string_view>

namespace onecast::cgns {

/// A child that a node of some label may have. label_table.hpp fills the rows.
template <class Label>
struct ChildRow {
  Label label;
  std::string_view name;  ///< empty: any
  bool many = false;      ///< any number of them; otherwise one
  bool required = false;  ///< cg_delete_node refuses it
};

/// The contents of a child of some name, if they are more restricted than its label says. Empty
/// texts: no further restriction.
struct HeldRow {
  std::string_view name;  ///< empty: all arrays without a row of their own
  std::string_view types;
  std::string_view dimensions;
  std::string_view of;
  bool required = false;  ///< required only by the check of a file
};

/// The description of a label. Texts are the lists of labels.toml, separated by blanks.
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
