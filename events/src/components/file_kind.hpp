#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace onecast::events {

/// A kind of file of events; each has its source.
enum class FileKind : std::uint8_t { hdf5, pds, root };

/// A PDS file begins with this number or the next.
constexpr std::uint32_t kPdsMagic = 3141592U * 256U + 1U;

/// Determines the kind from the contents. Throws Error: io, not_found, format (the file is empty,
/// or of no known kind).
FileKind kind_of_file(const std::string& path);

/// Determines the kind from the extension: .pds, .root, .h5, .hdf5 or .hdf, in upper or lower case.
/// Returns nothing if there is no extension. Throws Error (invalid_argument) for others.
std::optional<FileKind> kind_of_name(const std::string& path);

/// Splits FILE:NAME, with a tree of a ROOT file or a group of an HDF5 file, into (FILE, NAME), and
/// returns (FILE, "") for a whole file.
std::pair<std::string, std::string> split_name(const std::string& path);

/// Returns the text of the source that reads the file: "PDS=a.pds"; for FILE:NAME
/// "ROOT=FILE:tree=NAME" or "HDF5=FILE:group=NAME". Throws as kind_of_file.
std::string source_for(const std::string& path);

}  // namespace onecast::events
