#pragma once

#include <string>

namespace onecast::events {

/// Which source reads a file.
enum class FileKind : bool { hdf5, pds };

/// By its contents. Throws Error: io, not_found, unsupported (a ROOT file), format (nothing is in
/// it yet).
FileKind kind_of_file(const std::string& path);

/// As a file stands in the text of a component: each colon twice.
std::string escaped(const std::string& path);

/// The source that reads the file, as a text: "PDS=a.pds". Throws as kind_of_file.
std::string source_for(const std::string& path);

}  // namespace onecast::events
