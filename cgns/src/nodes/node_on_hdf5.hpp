#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nodes/value.hpp"
#include "onecast/objects/group.hpp"

/// A CGNS node as HDF5 has it: a group with the attributes name, label, type and flags, and its
/// value in the dataset " data". Functions that create or change are @collective @same and do not
/// communicate; the others are @independent. They throw Failure and onecast::Error.
namespace onecast::cgns {

/// Where the value of a new node lies.
enum class Storage : std::uint8_t {
  automatic,   ///< in the header if it is small
  contiguous,  ///< in one piece: for values that ranks write in parts
  parts,       ///< so, and never compressed: each rank may write its parts by itself
};

/// How the value of a new node is stored.
struct Placement {
  Storage storage = Storage::automatic;
  /// 1..9: values that do not fit a header lie in compressed chunks, but for Storage::parts.
  int compression = 0;
};

/// The file and the node to which a link leads.
struct LinkTarget {
  std::string file;  ///< empty, or blanks as Fortran has them: the file of the link
  std::string path;
};

/// Makes the root of a new file a CGNS node.
void write_root(Group& root);
/// The version of HDF5 that the root names.
std::string hdf5_version_of(const Group& root);
/// Creates a node in a group that has none of that name.
Group create_node(Group& parent, std::string_view name, std::string_view label, const Value& value,
                  const Placement& placement);
Group create_link(Group& parent, std::string_view name, const LinkTarget& target);
void write_name(Group& node, std::string_view name);
void write_label(Group& node, std::string_view label);
/// Replaces the value of a node, and its type.
void write_value(Group& node, const Value& value, const Placement& placement);

/// Replaces it by a copy of data in any open file, as it is stored there.
void copy_value(Group& node, ValueType type, const Dataset& data);

/// The text of an attribute, up to its first NUL; "label", "type". Throws Failure if it is missing
/// or is no text of fixed length.
std::string text_attribute(const Group& node, std::string_view name);
ValueType type_of(const Group& node);
/// Absent if the node has no value.
std::optional<Dataset> data_of(const Group& node);
/// @param reversed false for files that have their dimensions in the order of HDF5
Dims dims_of(const Dataset& data, bool reversed);
bool is_link(const Group& node);
LinkTarget target_of(const Group& link);
/// The node to which a link leads, also through further links; absent if it leads to nothing, or in
/// a circle.
std::optional<Group> followed(const Group& link);

}  // namespace onecast::cgns
