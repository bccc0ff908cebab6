#include "grammar/names.hpp"

#include <algorithm>

#include "grammar/failure.hpp"

namespace onecast::cgns {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

namespace {

/// The longest run of characters without a blank.
std::string_view longest_word(std::string_view text) {
  std::string_view longest;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (word.size() > longest.size()) longest = word;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return longest;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t length) {
  constexpr std::string_view kGap = "...";
  if (text.size() <= length) return std::string(text);
  const std::size_t left_out = text.size() - length + kGap.size();
  std::string_view cut = longest_word(text);
  if (cut.size() <= left_out) cut = text;
  if (cut.size() <= left_out) return std::string(text.substr(0, length));
  const auto start = static_cast<std::size_t>(cut.data() - text.data());
  const std::size_t kept =
      (cut.size() - left_out) / 4;  // keeps most of a reason, or of the last component of a path
  std::string found(text.substr(0, start + kept));
  found += kGap;
  found += text.substr(start + kept + left_out);
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
