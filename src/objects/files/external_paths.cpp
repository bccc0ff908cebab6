#include "objects/files/external_paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/make_error.hpp"
#include "objects/nodes/open_file.hpp"

namespace onecast::files {
namespace {

namespace fs = std::filesystem;

/// Replaces a leading "${ORIGIN}" by the folder of the file.
std::string with_origin(std::string folder, const fs::path& origin) {
  constexpr std::string_view kOrigin = "${ORIGIN}";
  if (folder.starts_with(kOrigin)) folder.replace(0, kOrigin.size(), origin.string());
  return folder;
}

/// Returns the value of the environment variable if it is set, else `given`.
std::string_view prefix_of(const char* variable, std::string_view given) {
  const char* set = std::getenv(variable);
  return set != nullptr && *set != 0 ? std::string_view(set) : given;
}

/// Resolves `path` from the program's working directory at the time when it opened `from`.
std::string as_it_stood(const OpenFile& from, const fs::path& path) {
  return (fs::path(from.name().working_folder) / path).string();
}

/// Removes duplicates: two paths are one if the working directory is the file's folder.
std::vector<std::string> each_once(std::vector<std::string> paths) {
  std::vector<std::string> once;
  for (std::string& path : paths)
    if (std::ranges::find(once, path) == once.end()) once.push_back(std::move(path));
  return once;
}

bool lies_in(const std::string& path, const std::string& folder) {
  const fs::path inner(path);
  const fs::path outer(folder);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace

std::vector<std::string> external_paths(const OpenFile& from, std::string_view name,
                                        const char* prefix_variable, std::string_view prefixes) {
  const fs::path wanted(name);
  const fs::path beside = folder_of(from);
  // A file named by an absolute path may have moved together with the file that names it.
  const fs::path relative = wanted.is_absolute() ? wanted.filename() : wanted;
  std::vector<std::string> paths;
  if (wanted.is_absolute()) paths.push_back(wanted.string());
  std::string_view rest = prefix_of(prefix_variable, prefixes);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string folder = with_origin(std::string(rest.substr(0, end)), beside);
    if (!folder.empty()) paths.push_back(as_it_stood(from, fs::path(folder) / relative));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  paths.push_back((beside / relative).string());
  paths.push_back(as_it_stood(from, relative));
  return each_once(std::move(paths));
}

std::vector<std::string> raw_data_paths(const OpenFile& from, std::string_view name,
                                        std::string_view prefix) {
  const fs::path wanted(name);
  if (wanted.is_absolute()) return {wanted.string()};
  const fs::path beside = folder_of(from);
  std::vector<std::string> paths;
  const std::string_view folder = prefix_of("HDF5_EXTFILE_PREFIX", prefix);
  if (!folder.empty())
    paths.push_back(as_it_stood(from, fs::path(with_origin(std::string(folder), beside)) / wanted));
  paths.push_back(as_it_stood(from, wanted));
  paths.push_back((beside / wanted).string());
  return each_once(std::move(paths));
}

std::string folder_of(const OpenFile& file) {
  const fs::path path(file.name().full_path);
  // A name that only MPI understands ("ufs:name") is not a path.
  if (file.options().mpi_io) return path.parent_path().string();
  // The path may be a symbolic link; "beside the file" means beside the link's target.
  return fs::path(canonical(as_it_stood(file, path))).parent_path().string();
}

std::string canonical(const std::string& path) {
  std::error_code ignored;
  const fs::path found = fs::weakly_canonical(path, ignored);
  return found.empty() ? path : found.string();
}

void require_following(const OpenFile& from, std::string_view what, std::string_view name) {
  if (from.options().follow_external == FollowExternal::nowhere)
    throw unsupported_error("{} \"{}\": option follow_external is off (nowhere)", what, name);
}

bool may_follow(const OpenFile& from, const std::string& path) {
  return from.options().follow_external != FollowExternal::folder ||
         lies_in(canonical(path), from.name().trusted_folder);
}

void fail_outside(const OpenFile& from, std::string_view path) {
  throw unsupported_error(
      "{}: external file \"{}\": lies outside of {} (option follow_external "
      "\"everywhere\" follows it)",
      from.path(), path, from.name().trusted_folder);
}

}  // namespace onecast::files
