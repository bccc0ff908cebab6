#include "components/file_kind.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>

#include "components/spec.hpp"
#include "model/byte_file.hpp"
#include "model/little_endian.hpp"
#include "model/make_error.hpp"

namespace onecast::events {
namespace {

/// Looks at the beginning of the file, and after user blocks of all sizes.
bool has_hdf5_signature(const ByteFile& file) {
  constexpr std::uint64_t kLeastBlock = 512;
  std::array<std::byte, 8> bytes{};
  for (std::uint64_t at = 0; file.read(at, bytes) == bytes.size();
       at = std::max(kLeastBlock, 2 * at))
    if (std::memcmp(bytes.data(), "\211HDF\r\n\032\n", bytes.size()) == 0) return true;
  return false;
}

}  // namespace

FileKind kind_of_file(const std::string& path) {
  const ByteFile file = ByteFile::open(path);
  std::array<std::byte, 8> start{};
  file.read(0, start);
  const std::uint32_t word = read_u32(start);
  if (word == kPdsMagic || word == kPdsMagic + 1) return FileKind::pds;
  if (has_hdf5_signature(file)) return FileKind::hdf5;
  // The version of a ROOT file is big-endian and begins with a zero, which no text does.
  if (std::memcmp(start.data(), "root", 5) == 0) return FileKind::root;
  if (std::ranges::all_of(start, [](std::byte b) { return b == std::byte{0}; }))
    throw format_error("{}: holds nothing yet: its writer did not come to the first flush", path);
  throw format_error("{}: is neither HDF5, ROOT nor PDS", path);
}

std::optional<FileKind> kind_of_name(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending.empty()) return {};
  if (ending == ".pds") return FileKind::pds;
  if (ending == ".root") return FileKind::root;
  if (ending == ".h5" || ending == ".hdf5" || ending == ".hdf") return FileKind::hdf5;
  throw argument_error(
      "{}: {}: .pds for PDS was expected, .root for ROOT, or .h5, .hdf5, .hdf or none for HDF5",
      path, ending);
}

std::pair<std::string, std::string> split_name(const std::string& path) {
  constexpr std::string_view kRoot = ".root:";  // the name of a tree may contain colons
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return {path, ""};
  const std::size_t root = path.rfind(kRoot);
  const std::size_t colon = root == std::string::npos ? path.rfind(':') : root + kRoot.size() - 1;
  if (colon == std::string::npos || colon + 1 == path.size()) return {path, ""};
  const std::string file = path.substr(0, colon);
  if (root == std::string::npos && !std::filesystem::exists(file, ignored)) return {path, ""};
  return {file, path.substr(colon + 1)};
}

std::string source_for(const std::string& path) {
  const auto [file, name] = split_name(path);
  const FileKind kind = kind_of_file(file);
  if (kind == FileKind::pds && !name.empty())
    throw argument_error("{}: is PDS: it has no part of the name {}", file, name);
  std::string source = (kind == FileKind::hdf5  ? "HDF5="
                        : kind == FileKind::pds ? "PDS="
                                                : "ROOT=") +
                       escaped(file);
  if (!name.empty()) source += (kind == FileKind::hdf5 ? ":group=" : ":tree=") + escaped(name);
  return source;
}

}  // namespace onecast::events
