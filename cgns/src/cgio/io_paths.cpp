#include <algorithm>
#include <filesystem>
#include <vector>

#include "cgio/cgio_guard.hpp"

using namespace onecast::cgns;
using namespace onecast::cgns::cgio;

namespace {

namespace fs = std::filesystem;

/// The folders in which cgio_find_file looks.
std::vector<fs::path>& folders() {
  static std::vector<fs::path> all;
  return all;
}

bool is_of_type(const fs::path& path, int file_type) {
  std::error_code ignored;
  int found = CGIO_FILE_NONE;
  return fs::is_regular_file(path, ignored) && cgio_check_file(path.c_str(), &found) == 0 &&
         (file_type == CGIO_FILE_NONE || found == file_type);
}

/// Looks for a file in the folder of the file that names it, at its name as given, and in the
/// folders.
fs::path found_file(const char* parent, const fs::path& name, int file_type) {
  std::vector<fs::path> places;
  if (parent != nullptr && *parent != '\0' && name.is_relative())
    places.push_back(fs::path(parent).parent_path() / name);
  places.push_back(name);
  if (name.is_relative())
    for (const auto& folder : folders()) places.push_back(folder / name);
  for (const auto& place : places)
    if (is_of_type(place, file_type)) return place;
  throw Failure("the file was not found: " + name.string(), CGIO_ERR_NOT_FOUND);
}

}  // namespace

extern "C" {

int cgio_path_add(const char* path) {
  return numbered([&] {
    if (path == nullptr || *path == '\0') throw Failure("the path is empty", CGIO_ERR_NULL_FILE);
    folders().emplace_back(path);
  });
}

int cgio_path_delete(const char* path) {
  return numbered([&] {
    if (path == nullptr || *path == '\0') {
      folders().clear();
      return;
    }
    const auto found = std::ranges::find(folders(), fs::path(path));
    if (found == folders().end())
      throw Failure("no such path was added: " + std::string(path), CGIO_ERR_NO_MATCH);
    folders().erase(found);
  });
}

int cgio_find_file(const char* parentfile, const char* filename, int file_type, int max_path_len,
                   char* pathname) {
  return numbered([&] {
    if (filename == nullptr || *filename == '\0')
      throw Failure("the name of the file is empty", CGIO_ERR_NULL_FILE);
    const std::string found = found_file(parentfile, filename, file_type).string();
    if (max_path_len < 1 || found.size() >= static_cast<std::size_t>(max_path_len))
      throw Failure("the memory for the path is too small: " + found, CGIO_ERR_TOO_SMALL);
    give(found, pathname);
  });
}

}  // extern "C"
