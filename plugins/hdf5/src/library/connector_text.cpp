#include "library/connector_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <onecast/base/error.hpp>
#include <onecast/objects/file_option_table.hpp>
#include <string>
#include <string_view>

namespace onecast_hdf5 {
namespace {

void* copy(const void* text) { return strdup(static_cast<const char*>(text)); }

h5::Status compare(int* result, const void* a, const void* b) {
  *result = std::strcmp(static_cast<const char*>(a), static_cast<const char*>(b));
  return 0;
}

h5::Status release(void* text) {
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): the library keeps plain memory
  return 0;
}

h5::Status to_text(const void* text, char** out) {
  *out = static_cast<char*>(copy(text));
  return *out == nullptr ? -1 : 0;
}

/// A wrong text is an error when a file is opened: here it would keep the library from starting.
h5::Status from_text(const char* text, void** out) {
  *out = copy(text);
  return *out == nullptr ? -1 : 0;
}

// --- the values of options

bool parse(std::string_view text, bool& value) {
  value = text == "true";
  return value || text == "false";
}

template <class Number>
  requires(std::is_unsigned_v<Number>)
bool parse(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

template <class Choice>
  requires(std::is_enum_v<Choice>)
bool parse(std::string_view text, Choice& value) {
  const auto names = names_of(value);
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return false;
  value = static_cast<Choice>(found - names.begin());
  return true;
}

template <class Value>
bool parse(std::string_view text, std::optional<Value>& value) {
  return parse(text, value.emplace());
}

/// Takes the text before a separator, and leaves what is behind it.
std::string_view take(std::string_view& text, std::string_view separators) {
  const std::size_t end = std::min(text.find_first_of(separators), text.size());
  const auto taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

/// Hints are given as "hints=NAME:VALUE,NAME:VALUE".
bool parse(std::string_view text, std::map<std::string, std::string>& value) {
  while (!text.empty()) {
    auto hint = take(text, ",");
    const auto name = take(hint, ":");
    if (name.empty() || hint.empty()) return false;
    value.insert_or_assign(std::string(name), hint);
  }
  return true;
}

[[noreturn]] void fail(const std::string& what) {
  throw onecast::Error(onecast::ErrorCode::invalid_argument, "HDF5_VOL_CONNECTOR: " + what);
}

[[noreturn]] void fail_for_name(std::string_view name) {
  std::string all;
  std::apply(
      [&](const auto&... option) {
        ((all.append(all.empty() ? "" : ", ").append(option.name)), ...);
      },
      onecast::kFileOptions);
  fail("no option of files is named \"" + std::string(name) + "\"; the options are " + all);
}

void set(onecast::FileOptions& options, std::string_view name, std::string_view value) {
  bool is_known = false;
  const auto try_option = [&](const auto& option) {
    if (option.name != name) return;
    is_known = true;
    if (!parse(value, options.*option.field))
      fail("option " + std::string(name) + ": " + std::string(option.expected) +
           " was expected, not \"" + std::string(value) + "\"");
  };
  std::apply([&](const auto&... option) { (try_option(option), ...); }, onecast::kFileOptions);
  if (!is_known) fail_for_name(name);
}

}  // namespace

const h5::InfoCalls kInfoCalls{0, copy, compare, release, to_text, from_text};

void set_options_of_text(Library& library, h5::Id access, onecast::FileOptions& options) {
  void* info = nullptr;
  if (library.call.H5Pget_vol_info(access, &info) < 0 || info == nullptr) return;
  const std::unique_ptr<void, h5::Status (*)(void*)> kept(info, release);
  std::string_view rest = static_cast<const char*>(info);
  try {
    while (!rest.empty()) {
      auto value = take(rest, "; \t");
      if (value.empty()) continue;
      const auto name = take(value, "=");
      set(options, name, value);
    }
  } catch (const onecast::Error& error) {
    options.problem = error.what();
  }
}

}  // namespace onecast_hdf5
