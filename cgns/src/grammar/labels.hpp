#pragma once

#include <string_view>

#include "grammar/label_table.hpp"

/// The table of labels (cgns/labels.toml), looked up.
namespace onecast::cgns {

/// `other` for a label that the table does not have.
Label label_of(std::string_view text);
/// Empty for `other`.
std::string_view text_of(Label label);
const LabelRow<Label>& row_of(Label label);

/// The row of a child of that label; null if it may not stand there. If the child has a fixed name
/// and several rows have the label, the row of that name.
const ChildRow<Label>* child_row(Label parent, Label child, std::string_view name = {});
/// The row of a child of that name, among children that have a fixed one; null if there is none.
const ChildRow<Label>* named_row(Label parent, std::string_view name);

}  // namespace onecast::cgns
