#include "physics/models.hpp"

namespace onecast::cgns {

namespace {

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

Label model_label(Node& set, const char* text, std::string_view enum_name) {
  const Label label = text == nullptr ? Label::other : label_of(text);
  if (label == Label::other || child_row(set.label(), label) == nullptr ||
      row_of(label).value != enum_name)
    throw Failure("'" + std::string(text == nullptr ? "" : text) +
                  "' is no label of a model below " + set.path());
  return label;
}

void check_model(Label label, std::string_view type) {
  if (type != "Null" && type != "UserDefined" && !has_word(row_of(label).of, type))
    throw Failure("a " + std::string(text_of(label)) + " is none of " + std::string(type) +
                  ", but one of " + std::string(row_of(label).of));
}

int has(Node& set, Label label) { return single(set, label) != nullptr ? 1 : 0; }

int equation_dimension(Node& set) {
  Node* dimension = single(set, Label::Int);
  return dimension == nullptr ? 0 : read_numbers<std::int32_t>(*dimension, 1)[0];
}

void create_equation_set(Node& parent, Label label, int dimension) {
  Node& set = create_only(parent, label, {});
  if (dimension != 0) create_only(set, Label::Int, Value::number(dimension));
}

}  // namespace onecast::cgns
