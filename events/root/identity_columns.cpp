#include "identity_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "model/make_error.hpp"
#include "onecast/events/identity_names.hpp"

namespace onecast::events::root {
namespace {

using Names = std::vector<std::string>;

Names split(const std::string& text) {
  Names parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

const std::vector<Names>& usual_names() {
  static const std::vector<Names> kNames = [] {
    std::vector<Names> all{{"EventID.run", "EventID.lumi", "EventID.event"}};
    for (const IdentityNames& names : kUsualIdentities)
      all.emplace_back(names.begin(), names.end());
    all.push_back({"run", "", "event"});
    all.push_back({"EventHeader.runNumber", "", "EventHeader.eventNumber"});
    return all;
  }();
  return kNames;
}

bool is_number(const ColumnKind& kind) { return kind.number != nullptr && !kind.number->is_bool(); }

/// Returns those of the usual names that exist; none if one of them is not a number.
Names usual_that_fit(const KindOf& kind_of) {
  const auto is_there = [&](const std::string& name) { return name.empty() || kind_of(name); };
  const auto fits = [&](const std::string& name) {
    return name.empty() || is_number(*kind_of(name));
  };
  for (const Names& names : usual_names())
    if (std::ranges::all_of(names, is_there))
      return std::ranges::all_of(names, fits) ? names : Names(3);
  return Names(3);
}

/// Returns the largest value of run, lumi (members 0 and 1) or event.
std::uint64_t most_of(const NumberType& type, std::size_t member) {
  const std::uint64_t most = member < 2 ? UINT32_MAX : UINT64_MAX;
  if (!type.is_float()) return most;
  const int digits =
      type.letter == 'F' ? std::numeric_limits<float>::digits : std::numeric_limits<double>::digits;
  return std::min(most, (std::uint64_t{1} << digits) - 1);  // above it, a float skips integers
}

struct IsWithin {
  std::uint64_t most;
  bool operator()(double number) const {
    return number >= 0 && number <= static_cast<double>(most) && std::floor(number) == number;
  }
  template <class T>
  bool operator()(T number) const {
    return std::cmp_greater_equal(number, 0) && std::cmp_less_equal(number, most);
  }
};

}  // namespace

std::uint64_t IdentityColumn::valid(const Number& number, const std::string& path,
                                    std::uint64_t entry) const {
  if (!std::visit(IsWithin{most}, number))
    throw format_error("{}: entry {}: column {}: integers from 0 to {} were expected, not {}", path,
                       entry, name, most,
                       std::visit([](auto value) { return fmt::to_string(value); }, number));
  return std::visit([](auto value) { return static_cast<std::uint64_t>(value); }, number);
}

IdentityColumns identity_columns(const std::string& given, const KindOf& kind_of,
                                 const std::string& path) {
  const Names names = given.empty() ? usual_that_fit(kind_of) : split(given);
  IdentityColumns columns;
  if (names.size() != columns.size())
    throw argument_error("ROOT: identity: three names were expected, not {}", given);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (names[i].empty()) continue;
    const auto kind = kind_of(names[i]);
    if (!kind) throw not_found_error("{}: there is no column {}", path, names[i]);
    if (!is_number(*kind))
      throw argument_error("{}: column {}: one number for each event was expected, not {}", path,
                           names[i], kind->words);
    columns[i] = {names[i], kind->number, most_of(*kind->number, i)};
  }
  return columns;
}

}  // namespace onecast::events::root
