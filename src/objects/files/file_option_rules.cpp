#include "objects/files/file_option_rules.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "base/make_error.hpp"
#include "objects/memory/limits.hpp"
#include "onecast/objects/file_option_table.hpp"
#include "stripes/stripe_layout.hpp"

namespace onecast::files {
namespace {

template <class F>
constexpr void for_each_option(F&& look) {
  std::apply([&](const auto&... option) { (look(option), ...); }, kFileOptions);
}

constexpr std::uint64_t most_of(std::string_view name) {
  std::uint64_t most = 0;
  for_each_option([&](const auto& option) {
    if (option.name == name) most = option.range.most;
  });
  return most;
}
static_assert(most_of("compact_limit") == kMaxMessageSize);
static_assert(most_of("stripe_size") == StripeLayout::kLargestStripe);

using Hints = std::map<std::string, std::string>;

// --- values in words -----------------------------------------------------------------------------

template <class T>
std::string text_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    const auto names = names_of(value);
    const auto at = static_cast<std::size_t>(value);
    return at < names.size() ? std::string(names[at]) : fmt::format("{}", at);
  } else {
    return fmt::format("{}", value);
  }
}

template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : "not given";
}

std::string text_of(const Hints& hints) {
  std::string text = hints.empty() ? "none" : "";
  for (const auto& [name, value] : hints)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

// --- which values are allowed --------------------------------------------------------------------

template <class T>
bool is_allowed(const T& value, const OptionRange& range) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<std::size_t>(value) < names_of(value).size();
  } else if constexpr (std::is_same_v<T, bool>) {
    return true;
  } else {
    if (value == 0 && range.takes_zero) return true;
    if (range.is_power_of_two && !std::has_single_bit(value)) return false;
    return value >= range.least && value <= range.most;
  }
}

template <class T>
bool is_allowed(const std::optional<T>& value, const OptionRange& range) {
  return !value || is_allowed(*value, range);
}

/// transfer_options() checks hints.
bool is_allowed(const Hints& /*hints*/, const OptionRange& /*range*/) { return true; }

}  // namespace

void check_options(const FileOptions& options) {
  if (!options.problem.empty()) throw Error(ErrorCode::invalid_argument, options.problem);
  for_each_option([&](const auto& option) {
    const auto& value = options.*option.field;
    if (!is_allowed(value, option.range))
      throw argument_error("option {}: {} was expected, not {}", option.name, option.expected,
                           text_of(value));
  });
}

std::vector<std::pair<std::string, std::string>> shared_options(const FileOptions& options) {
  std::vector<std::pair<std::string, std::string>> all;
  for_each_option([&](const auto& option) {
    const auto& value = options.*option.field;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Hints>) {
      for (const auto& [name, text] : value) all.emplace_back("hint " + name, text);
    } else if (option.is_same) {
      all.emplace_back(fmt::format("option {}", option.name), text_of(value));
    }
  });
  if (!options.problem.empty()) all.emplace_back("options", options.problem);
  return all;
}

std::optional<std::string> contradiction(const FileOptions& later, const FileOptions& first) {
  const FileOptions by_default;
  std::optional<std::string> found;
  for_each_option([&](const auto& option) {
    const auto& value = later.*option.field;
    const auto& open = first.*option.field;
    if (!found && option.is_lasting && value != by_default.*option.field && value != open)
      found =
          fmt::format("{}: {} was given, but this process has the file open for writing with {}",
                      option.name, text_of(value), text_of(open));
  });
  return found;
}

}  // namespace onecast::files
