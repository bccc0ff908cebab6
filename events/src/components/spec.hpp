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

}  // namespace onecast::events
