#pragma once

#include "api/single_nodes.hpp"

/// Models of flow and of particles: nodes whose text is one of the values of an enum that the table
/// of labels allows.
namespace onecast::cgns {

/// Returns the label of a model below a set of equations, whose types are values of that enum.
/// Throws Failure for other texts.
Label model_label(Node& set, const char* text, std::string_view enum_name);
/// Throws Failure if a model of that label cannot have that type.
void check_model(Label label, std::string_view type);

template <class Enum, std::size_t kCount>
Enum read_model(Node& set, const char* label, std::string_view enum_name,
                const char* const (&names)[kCount]) {
  return read_enum<Enum>(only(set, model_label(set, label, enum_name)), names);
}
template <std::size_t kCount>
void write_model(Node& set, const char* label, int type, std::string_view enum_name,
                 const char* const (&names)[kCount]) {
  const Label model = model_label(set, label, enum_name);
  const std::string_view text = enum_text(type, names);
  check_model(model, text);
  create_only(set, model, Value::text(text));
}

/// Returns 1 if a set of equations has such a child, else 0.
int has(Node& set, Label label);
/// The child EquationDimension of a set of equations: 0 if there is none.
int equation_dimension(Node& set);
/// Creates a set of equations; with `dimension` 0, without EquationDimension.
void create_equation_set(Node& parent, Label label, int dimension);

}  // namespace onecast::cgns
