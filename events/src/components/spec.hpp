#pragma once

#include <map>
#include <string>

namespace onecast::events {

/// The parsed text of a component: `Name=file:key=value:flag`. Colons in the name of a file are
/// doubled.
struct Spec {
  std::string name;
  std::string file;
  bool has_file = false;
  std::map<std::string, std::string> options;  ///< a flag has "true"
};

/// Throws Error (invalid_argument).
Spec parse_spec(const std::string& text);

/// Returns the path in the form that the text of a component needs: each colon doubled.
std::string escaped(const std::string& path);

/// Returns the text of the component with another file.
std::string with_file(const std::string& component, const std::string& file);

}  // namespace onecast::events
