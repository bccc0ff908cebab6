#pragma once

#include <cstdint>
#include <string>

namespace onecast::events {

/// Which source reads a file.
enum class FileKind : bool { hdf5, pds };

/// A PDS file begins with it, or with the next number.
constexpr std::uint32_t kPdsMagic = 3141592U * 256U + 1U;

/// By its contents. Throws Error: io, not_found, unsupported (a ROOT file), format (nothing is in
/// it yet, or it is of none of these kinds).
FileKind kind_of_file(const std::string& path);

/// The source that reads the file, as a text: "PDS=a.pds". Throws as kind_of_file.
std::string source_for(const std::string& path);

}  // namespace onecast::events
