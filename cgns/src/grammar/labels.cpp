#include "grammar/labels.hpp"

#include <cstddef>

namespace onecast::cgns {

Label label_of(std::string_view text) {
  for (std::size_t i = 1; i < table::kRows.size(); ++i)
    if (table::kRows[i].label == text) return static_cast<Label>(i);
  return Label::other;
}

const LabelRow<Label>& row_of(Label label) { return table::kRows[static_cast<std::size_t>(label)]; }

std::string_view text_of(Label label) { return row_of(label).label; }

const ChildRow<Label>* child_row(Label parent, Label child, std::string_view name) {
  const ChildRow<Label>* found = nullptr;
  for (const auto& row : row_of(parent).children) {
    if (row.label != child) continue;
    if (row.name == name) return &row;
    if (found == nullptr && (row.name.empty() || name.empty())) found = &row;
  }
  return found;
}

const ChildRow<Label>* named_row(Label parent, std::string_view name) {
  for (const auto& row : row_of(parent).children)
    if (!row.name.empty() && row.name == name) return &row;
  return nullptr;
}

}  // namespace onecast::cgns
