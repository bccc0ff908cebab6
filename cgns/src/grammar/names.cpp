#include "grammar/names.hpp"

#include "grammar/failure.hpp"

namespace onecast::cgns {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string shortened(std::string_view text, std::size_t length) {
  constexpr std::string_view kGap = " ... ";
  if (text.size() <= length) return std::string(text);
  if (length < 2 * kGap.size()) return std::string(text.substr(0, length));
  const std::size_t start = (length - kGap.size()) / 4;
  const std::size_t end = length - kGap.size() - start;
  std::string found(text.substr(0, start));
  found += kGap;
  found += text.substr(text.size() - end);
  return found;
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
