#pragma once

#include <string_view>

#include "grammar/label_table.hpp"

/// Lookups in the table of labels (cgns/labels.toml).
namespace onecast::cgns {

/// Returns `other` for a label that is not in the table.
Label label_of(std::string_view text);
/// Returns an empty text for `other`.
std::string_view text_of(Label label);
const LabelRow<Label>& row_of(Label label);

/// Returns the row of a child of that label; null if it is not allowed there. If several rows have
/// the label, returns that of the fixed name.
const ChildRow<Label>* child_row(Label parent, Label child, std::string_view name = {});
/// Returns the row of the child with that fixed name; null if there is none.
const ChildRow<Label>* named_row(Label parent, std::string_view name);

}  // namespace onecast::cgns
