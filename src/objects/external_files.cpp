#include "objects/external_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "objects/file_state.hpp"
#include "onecast/base/error.hpp"
#include "transport/file_lock.hpp"

namespace onecast {
namespace {

namespace fs = std::filesystem;

/// "${ORIGIN}" is the folder of the file.
std::string with_origin(std::string folder, const fs::path& origin) {
  constexpr std::string_view kOrigin = "${ORIGIN}";
  if (folder.starts_with(kOrigin)) folder.replace(0, kOrigin.size(), origin.string());
  return folder;
}

}  // namespace

std::vector<std::string> external_places(const std::string& from, std::string_view name,
                                         const char* prefix_variable) {
  const fs::path wanted(name);
  const fs::path beside = fs::path(from).parent_path();
  // An absolute path that is not there may have moved together with the file that names it.
  const fs::path relative = wanted.is_absolute() ? wanted.filename() : wanted;
  std::vector<std::string> places;
  if (wanted.is_absolute()) places.push_back(wanted.string());
  if (const char* prefixes = std::getenv(prefix_variable)) {
    std::string_view rest(prefixes);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const std::string folder = with_origin(std::string(rest.substr(0, end)), beside);
      if (!folder.empty()) places.push_back((fs::path(folder) / relative).string());
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  places.push_back((beside / relative).string());
  places.push_back(relative.string());
  return places;
}

std::vector<std::string> raw_data_places(const std::string& from, std::string_view name) {
  const fs::path wanted(name);
  if (wanted.is_absolute()) return {wanted.string()};
  const fs::path beside = fs::path(from).parent_path();
  std::vector<std::string> places;
  if (const char* prefix = std::getenv("HDF5_EXTFILE_PREFIX"); prefix != nullptr && *prefix != 0)
    places.push_back((fs::path(with_origin(prefix, beside)) / wanted).string());
  places.push_back(wanted.string());
  places.push_back((beside / wanted).string());
  return places;
}

namespace {

/// There is no file, but perhaps a folder; or none can have that name.
bool is_absent(const Error& error) {
  constexpr int kAbsent[] = {EISDIR, ENOTDIR, ENAMETOOLONG, ELOOP};
  return error.code() == ErrorCode::not_found ||
         std::ranges::count(kAbsent, error.system_errno()) != 0;
}

/// What `open` opens at the first place where there is a file; null if there is none.
template <class Open>
auto first_found(const std::vector<std::string>& places, Open&& open) -> decltype(open(places[0])) {
  for (const std::string& place : places) {
    std::error_code ignored;
    if (fs::is_directory(place, ignored)) continue;  // an empty name, or one that lies
    try {
      return open(place);
    } catch (const Error& error) {
      if (!is_absent(error)) throw;
    }
  }
  return nullptr;
}

[[noreturn]] void fail_missing(const FileState& from, std::string_view name,
                               const std::vector<std::string>& places) {
  throw Error(ErrorCode::not_found, fmt::format("{}: external file \"{}\": not found at {}",
                                                from.path, name, fmt::join(places, ", ")));
}

std::string canonical(const std::string& place) {
  std::error_code ignored;
  const fs::path found = fs::weakly_canonical(place, ignored);
  return found.empty() ? place : found.string();
}

}  // namespace

std::shared_ptr<FileState> ExternalFiles::open(const FileState& from, std::string_view name) {
  const auto places = external_places(from.path, name);
  auto file = first_found(places, [&](const std::string& place) {
    return open_at(from, place, from.options, files_, SIZE_MAX);
  });
  if (!file) fail_missing(from, name, places);
  return file;
}

std::shared_ptr<FileState> ExternalFiles::source(const FileState& from, std::string_view name) {
  FileOptions options = from.options;
  // There may be many.
  options.chunk_cache_bytes /= 8;
  return first_found(external_places(from.path, name, "HDF5_VDS_PREFIX"),
                     [&](const std::string& place) {
                       return open_at(from, place, options, sources_, kMostSources);
                     });
}

std::shared_ptr<FileState> ExternalFiles::open_at(const FileState& from, const std::string& place,
                                                  const FileOptions& options,
                                                  ByPlace<FileState>& files, std::size_t most) {
  const std::string key = canonical(place);
  const std::scoped_lock lock(mutex_);
  if (const auto known = files.find(key); known != files.end()) return known->second;
  FileOptions own = options;
  own.load_policy = LoadPolicy::automatic;
  // Links may lead back to a file that we write.
  if (this_process_writes(place)) own.locking = FileLocking::off;
  auto file = FileState::open(place, Access::read_only, {}, own);
  file->share_external_files(from);
  if (files.size() >= most) files.clear();
  return files[key] = std::move(file);
}

std::shared_ptr<Transport> ExternalFiles::raw_data(const FileState& from, std::string_view name,
                                                   OpenMode mode) {
  const auto places = raw_data_places(from.path, name);
  ByPlace<Transport>& files = mode == OpenMode::read_only ? raw_ : written_raw_;
  const auto open = [&](const std::string& place) {
    const std::string key = canonical(place);
    const std::scoped_lock lock(mutex_);
    if (const auto known = files.find(key); known != files.end()) return known->second;
    std::shared_ptr<Transport> opened = posix_factory()(place, mode);
    if (files.size() >= kMostSources) {
      for (const auto& [_, file] : files)
        if (mode != OpenMode::read_only) file->sync();
      files.clear();
    }
    return files[key] = std::move(opened);
  };
  auto file = first_found(places, open);
  if (!file && mode != OpenMode::read_only) {
    // Other ranks may make it at the same time.
    const std::ofstream made(places.front(), std::ios::app | std::ios::binary);
    file = first_found(places, open);
  }
  if (!file) fail_missing(from, name, places);
  return file;
}

void ExternalFiles::sync() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [place, file] : written_raw_) file->sync();
}

void ExternalFiles::close() {
  const std::scoped_lock lock(mutex_);
  for (const auto* files : {&files_, &sources_})
    for (const auto& [place, file] : *files) file->close();
  raw_.clear();
  written_raw_.clear();
}

}  // namespace onecast
