#include "families/family_parts.hpp"

#include "api/single_nodes.hpp"

namespace onecast::cgns {

namespace {

Node& geometry_at(Node& family, int index) {
  return child_at(family, Label::GeometryReference, index);
}

std::string_view given(const char* text, const char* what) {
  if (text == nullptr || *text == '\0') throw Failure(std::string(what) + " is empty");
  return text;
}

/// Throws Failure if the format is too long: programs have room for the length of a name.
void check_format(std::string_view format, const std::string& geometry) {
  if (format.size() > kLongestName)
    throw Failure(geometry + ": the format has more than 32 characters");
}

/// Returns the label of the names of families below the current position.
Label further_names() {
  const bool is_family = session().position.node().label() == Label::Family;
  return is_family ? Label::FamilyName : Label::AdditionalFamilyName;
}

}  // namespace

void check_family_path(std::string_view path) {
  if (path.size() > kLongestFamilyPath)
    throw failure("the path of a family has more than ", kLongestFamilyPath, " characters");
}

Value family_value(const char* family) {
  const std::string_view text = given(family, "the name of a family");
  check_family_path(text);
  return Value::text(text);
}

void give_family(Node& node, char* family) {
  const std::string text = read_text(node);
  if (text.size() > kLongestFamilyPath)
    throw failure(node.path(), " has more than ", kLongestFamilyPath, " characters");
  give_text(text, family);
}

void read_family(Node& family, char* name, int* conditions, int* geometries) {
  give_name(family, name);
  *conditions = count(family, Label::FamilyBC);
  *geometries = count(family, Label::GeometryReference);
}

void read_family_name(Node& family, int index, char* name, char* other) {
  Node& node = child_at(family, Label::FamilyName, index);
  give_name(node, name);
  give_family(node, other);
}

void write_family_name(Node& family, const char* name, const char* other) {
  create(family, name, Label::FamilyName, family_value(other));
}

void read_further_family_name(int index, char* name, char* other) {
  Node& node = child_at_position(further_names(), index);
  give_family(node, other);
  give_name(node, name);
}

void write_further_family_name(const char* name, const char* other) {
  const Label label = further_names();
  create(position_for_writing(label), name, label, family_value(other));
}

void read_family_condition(Node& family, int index, char* name, BCType_t* type) {
  Node& node = child_at(family, Label::FamilyBC, index);
  *type = read_enum<BCType_t>(node, BCTypeName);
  give_name(node, name);
}

void write_family_condition(Node& family, const char* name, BCType_t type, int* index) {
  create(family, name, Label::FamilyBC, Value::text(enum_text(type, BCTypeName)), index);
}

void read_geometry(Node& family, int index, char* name, char** file, char* format, int* parts) {
  Node& geometry = geometry_at(family, index);
  const std::string its_format = read_text(only(geometry, Label::GeometryFormat));
  check_format(its_format, geometry.path());
  const std::string its_file = read_text(only(geometry, Label::GeometryFile));
  give_name(geometry, name);
  give_text(its_format, format);
  *parts = count(geometry, Label::GeometryEntity);
  *file = allocated(its_file);
}

void write_geometry(Node& family, const char* name, const char* file, const char* format,
                    int* index) {
  const auto its_file = Value::text(given(file, "the file of a geometry"));
  const auto its_format = Value::text(given(format, "the format of a geometry"));
  check_format(format, name != nullptr ? name : "");
  Node& geometry = create(family, name, Label::GeometryReference, {}, index);
  create_only(geometry, Label::GeometryFile, its_file);
  create_only(geometry, Label::GeometryFormat, its_format);
}

void read_geometry_part(Node& family, int geometry, int index, char* name) {
  give_name(child_at(geometry_at(family, geometry), Label::GeometryEntity, index), name);
}

void write_geometry_part(Node& family, int geometry, const char* name, int* index) {
  create(geometry_at(family, geometry), name, Label::GeometryEntity, {}, index);
}

}  // namespace onecast::cgns
