#pragma once

#include <string_view>

#include "base/namespaces.hpp"

namespace onecast::memory {

/// A divided path: "/a/b/c" becomes "/a/b/" and "c". Slashes at the end are ignored.
struct SplitPath {
  std::string_view above;
  std::string_view name;

  explicit SplitPath(std::string_view path) {
    while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    above = path.substr(0, path.size() - name.size());
  }
};

/// Removes and returns the first name of a path; empty if there is none left. Skips "." and empty
/// names.
inline std::string_view next_name(std::string_view& path) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
    if (!name.empty() && name != ".") return name;
  }
  return {};
}

}  // namespace onecast::memory
