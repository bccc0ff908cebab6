#pragma once

#include "api/lookup.hpp"

/// What a node Family_t holds, for the functions that find it by index and those at the current
/// position.
namespace onecast::cgns {

/// A path of families is made of names of at most 32 characters, at most 20 deep.
inline constexpr std::size_t kLongestFamilyPath = std::size_t{33} * CG_MAX_GOTO_DEPTH;

/// Failure if it is too long.
void check_family_path(std::string_view path);
/// The value of a node that names a family: a name or a path. It must not be empty.
Value family_value(const char* family);
/// The name of the node, and of the family that it names. `family` has room for kLongestFamilyPath.
void give_family(Node& node, char* family);

void read_family(Node& family, char* name, int* conditions, int* geometries);
void read_family_name(Node& family, int index, char* name, char* other);
void write_family_name(Node& family, const char* name, const char* other);
/// At the current position: of a family, its names of families; of what belongs to a family, the
/// names of further ones.
void read_further_family_name(int index, char* name, char* other);
void write_further_family_name(const char* name, const char* other);
void read_family_condition(Node& family, int index, char* name, BCType_t* type);
void write_family_condition(Node& family, const char* name, BCType_t type, int* index);
void read_geometry(Node& family, int index, char* name, char** file, char* format, int* parts);
void write_geometry(Node& family, const char* name, const char* file, const char* format,
                    int* index);
void read_geometry_part(Node& family, int geometry, int index, char* name);
void write_geometry_part(Node& family, int geometry, const char* name, int* index);

}  // namespace onecast::cgns
