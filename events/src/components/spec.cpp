#include "components/spec.hpp"

#include <fmt/format.h>

#include <vector>

#include "model/make_error.hpp"

namespace onecast::events {
namespace {

/// Returns the parts between colons; a doubled colon stands for one colon within a part.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ':') {
      parts.back() += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == ':') {
      parts.back() += ':';
      ++i;
    } else {
      parts.emplace_back();
    }
  }
  return parts;
}

}  // namespace

Spec parse_spec(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  Spec spec;
  const std::size_t equals = parts.front().find('=');
  spec.name = parts.front().substr(0, equals);
  if (equals != std::string::npos) {
    spec.has_file = true;
    spec.file = parts.front().substr(equals + 1);
  }
  const auto fail = [&](const std::string& why) {
    throw argument_error("{}: {}; Name=file:key=value:flag was expected", text, why);
  };
  if (spec.name.empty()) fail("there is no name");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t at = parts[i].find('=');
    const std::string key = parts[i].substr(0, at);
    if (key.empty()) fail("an option has no name");
    const std::string value = at == std::string::npos ? "true" : parts[i].substr(at + 1);
    if (!spec.options.emplace(key, value).second) fail(fmt::format("{} is given twice", key));
  }
  return spec;
}

std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == ':' ? "::" : std::string(1, c);
  return text;
}

std::string with_file(const std::string& component, const std::string& file) {
  std::size_t end = component.find(':');  // of name and file
  while (end != std::string::npos && component.substr(end, 2) == "::")
    end = component.find(':', end + 2);
  return component.substr(0, component.find('=')) + '=' + escaped(file) +
         (end == std::string::npos ? "" : component.substr(end));
}

}  // namespace onecast::events
