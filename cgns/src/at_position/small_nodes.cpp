#include "api/single_nodes.hpp"

using namespace onecast::cgns;

namespace {

/// Creates a node, with a description below it if there is one.
void create_described(Label label, const Value& value, const char* name, const char* text) {
  Node& node = create_only(position_for_writing(label), label, value);
  if (text != nullptr && *text != '\0') create(node, name, Label::Descriptor, Value::text(text));
}

/// Returns a copy of the description, for cg_free; empty if there is none.
char* description(Node& node, const char* name) {
  Node* text = node.find(name, Label::Descriptor);
  return allocated(text == nullptr ? "" : read_text(*text));
}

}  // namespace

extern "C" {

int cg_convergence_read(int* iterations, char** NormDefinitions) {
  return guarded(__func__, [&] {
    Node& node = only(position_for_reading(Label::ConvergenceHistory), Label::ConvergenceHistory);
    *iterations = read_numbers<std::int32_t>(node, 1)[0];
    *NormDefinitions = description(node, "NormDefinitions");
  });
}

int cg_convergence_write(int iterations, const char* NormDefinitions) {
  return guarded(__func__, [&] {
    create_described(Label::ConvergenceHistory, Value::number(iterations), "NormDefinitions",
                     NormDefinitions);
  });
}

int cg_state_read(char** StateDescription) {
  return guarded(__func__, [&] {
    Node& node = only(position_for_reading(Label::ReferenceState), Label::ReferenceState);
    *StateDescription = description(node, "ReferenceStateDescription");
  });
}

int cg_state_write(const char* StateDescription) {
  return guarded(__func__, [&] {
    create_described(Label::ReferenceState, {}, "ReferenceStateDescription", StateDescription);
  });
}

int cg_nuser_data(int* nuser_data) {
  return guarded(__func__, [&] {
    *nuser_data = count(position_in_any_mode(Label::UserDefinedData), Label::UserDefinedData);
  });
}

int cg_user_data_read(int Index, char* user_data_name) {
  return guarded(__func__, [&] {
    give_name(child_at_position(Label::UserDefinedData, Index), user_data_name);
  });
}

int cg_user_data_write(const char* user_data_name) {
  return guarded(__func__, [&] {
    create(position_for_writing(Label::UserDefinedData), user_data_name, Label::UserDefinedData,
           {});
  });
}

int cg_nintegrals(int* nintegrals) {
  return guarded(__func__, [&] {
    *nintegrals = count(position_for_reading(Label::IntegralData), Label::IntegralData);
  });
}

int cg_integral_read(int IntegralDataIndex, char* IntegralDataName) {
  return guarded(__func__, [&] {
    give_name(child_at_position(Label::IntegralData, IntegralDataIndex), IntegralDataName);
  });
}

int cg_integral_write(const char* IntegralDataName) {
  return guarded(__func__, [&] {
    create(position_for_writing(Label::IntegralData), IntegralDataName, Label::IntegralData, {});
  });
}

int cg_dataclass_read(DataClass_t* dataclass) {
  return guarded(__func__, [&] {
    *dataclass = read_enum<DataClass_t>(
        only(position_for_reading(Label::DataClass), Label::DataClass), DataClassName);
  });
}

int cg_dataclass_write(DataClass_t dataclass) {
  return guarded(__func__, [&] {
    create_only(position_for_writing(Label::DataClass), Label::DataClass,
                Value::text(enum_text(dataclass, DataClassName)));
  });
}

int cg_ordinal_read(int* Ordinal) {
  return guarded(__func__, [&] {
    Node* node = single(position_for_reading(Label::Ordinal), Label::Ordinal);
    *Ordinal = node == nullptr ? 0 : read_numbers<std::int32_t>(*node, 1)[0];
  });
}

int cg_ordinal_write(int Ordinal) {
  return guarded(__func__, [&] {
    create_only(position_for_writing(Label::Ordinal), Label::Ordinal, Value::number(Ordinal));
  });
}

}  // extern "C"
