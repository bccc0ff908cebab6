#pragma once

#include "api/single_nodes.hpp"

/// Models of flow and of particles: nodes whose text is a value of an enum, of which the table of
/// labels allows some.
namespace onecast::cgns {

/// The label of a model whose types are of that enum, below a set of equations. Failure for others.
Label model_label(Node& set, const char* text, std::string_view enum_name);
/// Failure if no model of that label is of that type.
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

/// 1 if a set of equations has such a child, else 0.
int has(Node& set, Label label);
/// The child EquationDimension of a set of equations: 0 if there is none.
int equation_dimension(Node& set);
/// Creates a set of equations; 0: without a dimension.
void create_equation_set(Node& parent, Label label, int dimension);

}  // namespace onecast::cgns
