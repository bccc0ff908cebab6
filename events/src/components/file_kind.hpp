#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace onecast::events {

/// Which source reads a file.
enum class FileKind : std::uint8_t { hdf5, pds, root };

/// A PDS file begins with it, or with the next number.
constexpr std::uint32_t kPdsMagic = 3141592U * 256U + 1U;

/// By its contents. Throws Error: io, not_found, format (nothing is in it yet, or it is of none of
/// these kinds).
FileKind kind_of_file(const std::string& path);

/// What a file of this name should be, by its ending: .pds, .root, .h5, .hdf5 or .hdf, in small
/// letters or not. None: it has no ending. Throws Error (invalid_argument) for others.
std::optional<FileKind> kind_of_name(const std::string& path);

/// FILE:NAME, a tree of a ROOT file or a group of an HDF5 file, as (FILE, NAME); what is a file as
/// a whole as (FILE, "").
std::pair<std::string, std::string> split_name(const std::string& path);

/// The source that reads the file, as a text: "PDS=a.pds"; of FILE:NAME "ROOT=FILE:tree=NAME" or
/// "HDF5=FILE:group=NAME". Throws as kind_of_file.
std::string source_for(const std::string& path);

}  // namespace onecast::events
