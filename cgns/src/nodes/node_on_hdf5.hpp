#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nodes/value.hpp"
#include "onecast/objects/group.hpp"

/// A CGNS node is stored in HDF5 as a group with the attributes name, label, type and flags, and
/// its value as the dataset " data". Functions that create or change are @replicated; the others
/// are @independent. They throw Failure and onecast::Error.
namespace onecast::cgns {

/// The storage of the value of a new node.
enum class Storage : std::uint8_t {
  automatic,   ///< in the header if the value is small
  contiguous,  ///< contiguous: for values that ranks write in parts
  parts,       ///< contiguous and never compressed: each rank may write its parts independently
};

/// The storage and the compression of the value of a new node.
struct Placement {
  Storage storage = Storage::automatic;
  /// 1..9: values that do not fit a header are in compressed chunks, except with Storage::parts.
  int compression = 0;
};

/// The file and the node to which a link leads.
struct LinkTarget {
  std::string file;  ///< empty, or blanks from Fortran: the file of the link
  std::string path;
};

/// Makes the root of a new file a CGNS node.
void write_root(Group& root);
/// Returns the version of HDF5 that is stored in the root.
std::string hdf5_version_of(const Group& root);
/// Creates a node in a group that has no node of that name.
Group create_node(Group& parent, std::string_view name, std::string_view label, const Value& value,
                  const Placement& placement);
Group create_link(Group& parent, std::string_view name, const LinkTarget& target);
void write_name(Group& node, std::string_view name);
void write_label(Group& node, std::string_view label);
/// Replaces the value of a node, and its type.
void write_value(Group& node, const Value& value, const Placement& placement);

/// Replaces the value of a node by a copy of data in any open file, as it is stored there.
void copy_value(Group& node, ValueType type, const Dataset& data);

/// Returns the text of an attribute ("label", "type") up to its first NUL. Throws Failure if it is
/// missing or not a text of fixed length.
std::string text_attribute(const Group& node, std::string_view name);
ValueType type_of(const Group& node);
/// Returns the dataset of the value; absent if the node has no value.
std::optional<Dataset> data_of(const Group& node);
/// @param reversed false for files that store dimensions in the order of HDF5
Dims dims_of(const Dataset& data, bool reversed);
bool is_link(const Group& node);
LinkTarget target_of(const Group& link);
/// Returns the node to which a link leads, also through further links; absent if the link is
/// dangling or part of a cycle.
std::optional<Group> followed(const Group& link);

}  // namespace onecast::cgns
