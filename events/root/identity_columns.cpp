#include "identity_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "onecast/base/error.hpp"

namespace onecast::events::root {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

const std::vector<std::vector<std::string>>& usual_names() {
  static const std::vector<std::vector<std::string>> kNames{
      {"EventID.run", "EventID.lumi", "EventID.event"},
      {"run", "luminosityBlock", "event"},
      {"run", "lumi", "event"},
      {"run", "subrun", "event"},
      {"run", "", "event"},
      {"EventHeader.runNumber", "", "EventHeader.eventNumber"}};
  return kNames;
}

}  // namespace

std::vector<std::string> identity_columns(const std::string& given,
                                          const std::function<bool(const std::string&)>& exists,
                                          const std::string& path) {
  const auto is_there = [&](const std::string& name) { return name.empty() || exists(name); };
  if (given.empty()) {
    for (const auto& names : usual_names())
      if (std::ranges::all_of(names, is_there)) return names;
    return {};
  }
  std::vector<std::string> names = split(given);
  if (names.size() != 3)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("ROOT: identity: three names were expected, not {}", given));
  for (const std::string& name : names)
    if (!is_there(name))
      throw Error(ErrorCode::not_found, fmt::format("{}: there is no column {}", path, name));
  return names;
}

Identity numbered(std::uint64_t entry) { return {1, 1, entry + 1}; }

}  // namespace onecast::events::root
