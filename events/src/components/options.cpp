#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "model/make_error.hpp"
#include "onecast/events/component.hpp"

namespace onecast::events {
namespace {

std::optional<std::uint64_t> as_number(std::string_view text, bool with_unit) {
  std::uint64_t unit = 1;
  if (with_unit && !text.empty()) {
    constexpr std::string_view kUnits = "kKmMgG";
    if (const std::size_t at = kUnits.find(text.back()); at != std::string_view::npos) {
      unit = std::uint64_t{1} << (10 * (at / 2 + 1));
      text.remove_suffix(1);
    }
  }
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  if (__builtin_mul_overflow(number, unit, &number)) return {};
  return number;
}

std::optional<double> as_decimal(std::string_view text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || !(number >= 0) ||
      !std::isfinite(number))
    return {};
  return number;
}

}  // namespace

Options::Options(std::string component, const std::vector<OptionInfo>& known,
                 const std::map<std::string, std::string>& given)
    : component_(std::move(component)) {
  std::vector<std::string> names;
  for (const OptionInfo& option : known) {
    values_[option.name] = {option.kind, option.otherwise, false};
    names.push_back(option.name);
  }
  for (const auto& [name, text] : given) {
    const auto found =
        std::find_if(known.begin(), known.end(),
                     [&, &key = name](const OptionInfo& option) { return option.name == key; });
    if (found == known.end())
      reject(name, names.empty() ? "there are no options"
                                 : fmt::format("unknown; known are {}", fmt::join(names, ", ")));
    Value& value = values_[name];
    value.text = text;
    value.given = true;
    check(*found, value);
  }
}

void Options::check(const OptionInfo& option, const Value& value) const {
  using Kind = OptionInfo::Kind;
  const auto expect = [&](bool right, std::string_view what) {
    if (!right) reject(option.name, fmt::format("{} was expected, not {}", what, value.text));
  };
  switch (option.kind) {
    case Kind::flag:
      return expect(value.text == "true" || value.text == "false", "true or false");
    case Kind::number:
      return expect(as_number(value.text, false).has_value(), "a number");
    case Kind::size:
      return expect(as_number(value.text, true).has_value(), "a size such as 65536, 64k or 1M");
    case Kind::decimal:
      return expect(as_decimal(value.text).has_value(), "a number from 0 on");
    case Kind::choice:
      return expect(std::ranges::count(option.choices, value.text) == 1,
                    fmt::format("one of {}", fmt::join(option.choices, ", ")));
    case Kind::text:
      return;
  }
}

const Options::Value& Options::value(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) reject(name, "the component does not describe this option");
  return found->second;
}

bool Options::flag(std::string_view name) const { return value(name).text == "true"; }

std::uint64_t Options::number(std::string_view name) const {
  return as_number(value(name).text, value(name).kind == OptionInfo::Kind::size).value_or(0);
}

double Options::decimal(std::string_view name) const {
  return as_decimal(value(name).text).value_or(0);
}

const std::string& Options::text(std::string_view name) const { return value(name).text; }

bool Options::is_given(std::string_view name) const { return value(name).given; }

void Options::reject(std::string_view name, const std::string& reason) const {
  throw argument_error("{}: {}: {}", component_, name, reason);
}

}  // namespace onecast::events
