#include "library/connector_text.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <onecast/base/error.hpp>
#include <onecast/objects/file_option_table.hpp>
#include <string>
#include <string_view>

#include "library/guarded.hpp"

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

// Options of the plug-in itself.
constexpr std::string_view kWriting = "writing";
constexpr std::string_view kTransfers = "transfers";
constexpr std::string_view kComm = "comm";
constexpr std::string_view kWorld = "world";

[[noreturn]] void fail(const std::string& what) {
  throw onecast::Error(onecast::ErrorCode::invalid_argument, what);
}

/// Returns whether a value is the second one of two.
/// @param where the option or the variable, for the error
bool is_second(const std::string& where, std::string_view value, std::string_view first,
               std::string_view second) {
  if (value != first && value != second)
    fail(where + ": " + std::string(first) + " or " + std::string(second) +
         " was expected, not \"" + std::string(value) + "\"");
  return value == second;
}

/// Returns whether Onecast serves files that are written.
bool serves(const std::string& where, std::string_view value) {
  return is_second(where, value, "native", "onecast");
}

/// Takes the next option of a text; false at its end.
bool take_option(std::string_view& text, std::string_view& name, std::string_view& value) {
  do {
    if (text.empty()) return false;
    value = take(text, "; \t");
  } while (value.empty());
  name = take(value, "=");
  return true;
}

/// @param patterns shell patterns with commas between them, of paths or of names; none: all files
bool matches(std::string_view patterns, const std::string& file) {
  if (patterns.empty()) return true;
  const std::string name = file.substr(file.rfind('/') + 1);
  while (!patterns.empty()) {
    const std::string pattern(take(patterns, ","));
    const std::string& compared = pattern.find('/') == std::string::npos ? name : file;
    if (fnmatch(pattern.c_str(), compared.c_str(), 0) == 0) return true;
  }
  return false;
}

[[noreturn]] void fail_for_name(std::string_view name) {
  std::string all =
      std::string(kWriting).append(", ").append(kTransfers).append(", ").append(kComm);
  std::apply([&](const auto&... option) { ((all.append(", ").append(option.name)), ...); },
             onecast::kFileOptions);
  fail("no option of files is named \"" + std::string(name) + "\"; the options are " + all);
}

void set(Asked& asked, std::string_view name, std::string_view value) {
  if (name == kWriting) {
    asked.serves_writing = serves("option writing", value);
    return;
  }
  if (name == kTransfers) {
    asked.transfers_together = is_second("option transfers", value, "independent", "collective");
    return;
  }
  if (name == kComm) {
    if (take(value, ":") != kWorld)
      fail("option comm: world or world:PATTERN was expected, as in comm=world:results*.h5");
    return;
  }
  bool is_known = false;
  const auto try_option = [&](const auto& option) {
    if (option.name != name) return;
    is_known = true;
    if (!parse(value, asked.options.*option.field))
      fail("option " + std::string(name) + ": " + std::string(option.expected) +
           " was expected, not \"" + std::string(value) + "\"");
  };
  std::apply([&](const auto&... option) { (try_option(option), ...); }, onecast::kFileOptions);
  if (!is_known) fail_for_name(name);
}

}  // namespace

const h5::InfoCalls kInfoCalls{0,
                               kGuarded<copy>,
                               kGuarded<compare>,
                               kGuarded<release>,
                               kGuarded<to_text>,
                               kGuarded<from_text>};

ConnectorText::ConnectorText(Library& library, h5::Id access) {
  void* info = nullptr;
  if (library.call.H5Pget_vol_info(access, &info) < 0 || info == nullptr) return;
  const std::unique_ptr<void, h5::Status (*)(void*)> kept(info, release);
  text_ = static_cast<const char*>(info);
}

bool ConnectorText::is_on_world(const std::string& file) const {
  std::string_view rest = text_;
  std::string_view name;
  std::string_view value;
  while (take_option(rest, name, value))
    if (name == kComm && take(value, ":") == kWorld && matches(value, file)) return true;
  return false;
}

void ConnectorText::set(Asked& asked) const {
  const char* where = "ONECAST_HDF5_WRITING";
  try {
    if (const char* const value = std::getenv(where); value != nullptr && *value != '\0')
      asked.serves_writing = serves("the variable", value);
    where = "HDF5_VOL_CONNECTOR";
    std::string_view rest = text_;
    std::string_view name;
    std::string_view value;
    while (take_option(rest, name, value)) onecast_hdf5::set(asked, name, value);
  } catch (const onecast::Error& error) {
    asked.options.problem = std::string(where) + ": " + error.what();
  }
}

}  // namespace onecast_hdf5
