#pragma once

#include <map>
#include <string>

namespace onecast::events {

/// A component as it is written: `Name=file:key=value:flag`. A file may contain colons if they are
/// doubled.
struct Spec {
  std::string name;
  std::string file;
  bool has_file = false;
  std::map<std::string, std::string> options;  ///< of a flag: "true"
};

/// Throws Error (invalid_argument).
Spec parse_spec(const std::string& text);

/// As a file stands in the text of a component: each colon twice.
std::string escaped(const std::string& path);

/// The text of a component, with another file.
std::string with_file(const std::string& component, const std::string& file);

}  // namespace onecast::events
