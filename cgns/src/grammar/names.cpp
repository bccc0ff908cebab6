#include "grammar/names.hpp"

#include "grammar/failure.hpp"

namespace onecast::cgns {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string checked_name(const char* name) {
  if (name == nullptr) throw Failure("a name is NULL");
  const std::string_view text = trimmed(name);
  if (text.empty() || text.size() > kLongestName)
    throw Failure("the name '" + std::string(text) + "' has not 1 to 32 characters");
  if (text.find('/') != std::string_view::npos || text == "." || text == "..")
    throw Failure("'" + std::string(text) + "' cannot be the name of a node");
  return std::string(text);
}

}  // namespace onecast::cgns
