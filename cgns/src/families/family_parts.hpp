#pragma once

#include "api/lookup.hpp"

/// The contents of a node Family_t, for the functions that find it by index and for those at the
/// current position.
namespace onecast::cgns {

/// The longest path of families: 20 names of 32 characters.
inline constexpr std::size_t kLongestFamilyPath = std::size_t{33} * CG_MAX_GOTO_DEPTH;

/// Throws Failure if the path is too long.
void check_family_path(std::string_view path);
/// Makes the value of a node that names a family: a name or a path. Throws Failure if it is empty.
Value family_value(const char* family);
/// Returns the name of the family that a node names. `family` has room for kLongestFamilyPath.
void give_family(Node& node, char* family);

void read_family(Node& family, char* name, int* conditions, int* geometries);
void read_family_name(Node& family, int index, char* name, char* other);
void write_family_name(Node& family, const char* name, const char* other);
/// Names of families at the current position: those of a family, or the additional ones of a node
/// that belongs to a family.
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
