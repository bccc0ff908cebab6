#pragma once

#include <string>
#include <string_view>

#include "cgnslib.h"
#include "grammar/failure.hpp"
#include "grammar/names.hpp"
#include "session/guard.hpp"
#include "tree/values.hpp"

/// The building blocks of the functions of the API: lookups of the nodes that their arguments name,
/// and results in the caller's memory. All functions throw Failure.
namespace onecast::cgns {

// --- files
/// Return the open file of that number: any; one that is not new; one that is not open for reading
/// only.
OpenFile& opened(int fn);
OpenFile& for_reading(int fn);
OpenFile& for_writing(int fn);

// --- nodes by their indices, which begin with 1
/// @param missing the status of the Failure if there is no such index
Node& child_at(Node& parent, Label label, int index, int missing = Failure::kError);
Node& base_at(OpenFile& file, int base);
Node& zone_at(OpenFile& file, int base, int zone);
/// Counts the children of a label. Dangling links are not counted; a warning names them.
int count(Node& parent, Label label);
/// The index of a node among those of its label.
int index_of(Node& node);
/// Returns the only child of that label; null if there is none.
Node* single(Node& parent, Label label);
/// Returns the child of that fixed name. Throws Failure (node not found).
Node& required(Node& parent, std::string_view name, Label label);

// --- the current position
/// Return the node at the current position, in a file that is open in any mode, for reading or for
/// writing. Its label must allow children of label `child`.
/// @param wrong the status of the Failure if it does not
Node& position_in_any_mode(Label child, int wrong = Failure::kIncorrectPath);
Node& position_for_reading(Label child, int wrong = Failure::kIncorrectPath);
Node& position_for_writing(Label child, int wrong = Failure::kIncorrectPath);
/// Returns a child of the node at the current position, for reading. Throws Failure (node not
/// found).
Node& child_at_position(Label label, int index);

// --- creating
/// Creates a node of a table row; `index` may be null.
Node& create(Node& parent, const char* name, Label label, const Value& value, int* index = nullptr,
             Storage storage = Storage::automatic);
/// Returns the node that holds all nodes of a kind ("ZoneBC", "GridCoordinates"), and creates it if
/// it is missing.
Node& require(Node& parent, const std::string& name, Label label);

// --- results
/// Copies the name with its NUL to `name`, which has 33 bytes.
void give_name(const Node& node, char* name);
void give_text(std::string_view text, char* out);
/// Throws Failure if cgsize_t cannot hold the number.
cgsize_t as_size(std::uint64_t number);
/// Returns the number of dimensions, and their extents.
void give_dims(const Dims& dims, int* dimensions, cgsize_t* extents);
/// Returns a copy, which the program frees with cg_free.
char* allocated(std::string_view text);

// --- values
/// The number of indices of a point in a zone.
int index_dimension(Node& zone);
int cell_dimension(Node& base);
int physical_dimension(Node& base);

ValueType value_type_of(DataType_t type);
DataType_t data_type_of(ValueType type);

/// Returns the value of an enum that the text names. Throws Failure, which names the node.
template <std::size_t kCount>
int enum_value(const Node& node, std::string_view text, const char* const (&names)[kCount]) {
  for (std::size_t i = 0; i < kCount; ++i)
    if (text == names[i]) return static_cast<int>(i);
  throw Failure(node.path() + " is '" + std::string(text) + "', which is no such type");
}
/// Returns the value of an enum that the node's text names.
template <class Enum, std::size_t kCount>
Enum read_enum(Node& node, const char* const (&names)[kCount]) {
  return static_cast<Enum>(enum_value(node, trimmed(read_text(node)), names));
}
/// Returns the text of an enum's value. Throws Failure if it is out of range.
template <std::size_t kCount>
std::string_view enum_text(int value, const char* const (&names)[kCount]) {
  if (value < 0 || value >= static_cast<int>(kCount))
    throw Failure(std::to_string(value) + " is no value of that enum");
  return names[value];
}

}  // namespace onecast::cgns
