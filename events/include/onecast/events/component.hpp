#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/events/outputer.hpp"
#include "onecast/events/source.hpp"
#include "onecast/events/team.hpp"
#include "onecast/events/waiter.hpp"

namespace onecast::events {

/// An option of a component: `key=value`, or `key` alone for a flag.
struct OptionInfo {
  enum class Kind : std::uint8_t { flag, number, decimal, text, size, choice };

  std::string name;
  Kind kind = Kind::text;
  std::string otherwise{};             ///< the default, as it is written
  std::string description{};           ///< one line
  std::vector<std::string> choices{};  ///< the values of a Kind::choice
};

/// The options that a component was given, checked against the options that it declares.
class Options {
 public:
  Options(std::string component, const std::vector<OptionInfo>& known,
          const std::map<std::string, std::string>& given);

  [[nodiscard]] bool flag(std::string_view name) const;
  /// Returns the value of an option of Kind::number, or of Kind::size, where k, M and G stand for
  /// powers of 1024.
  [[nodiscard]] std::uint64_t number(std::string_view name) const;
  [[nodiscard]] double decimal(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] bool is_given(std::string_view name) const;
  /// Throws Error (invalid_argument) that names component, option and reason.
  [[noreturn]] void reject(std::string_view name, const std::string& reason) const;

 private:
  struct Value {
    OptionInfo::Kind kind;
    std::string text;
    bool given = false;
  };
  [[nodiscard]] const Value& value(std::string_view name) const;
  void check(const OptionInfo& option, const Value& value) const;

  std::string component_;
  std::map<std::string, Value, std::less<>> values_;
};

/// The request for a component, which its text `Name=file:key=value:flag` states.
struct Request {
  std::string file;  ///< empty: none was given
  Options options;
  std::shared_ptr<Team> team;      ///< the ranks that use one component together
  const class Registry& registry;  ///< for components that are made of others
};

/// States if a component takes a file.
enum class FileUse : std::uint8_t { none, optional, required };

/// A kind of component.
template <class Interface>
struct ComponentInfo {
  std::string name;
  std::string description;  ///< one line
  FileUse file = FileUse::none;
  std::vector<OptionInfo> options{};
  std::function<std::unique_ptr<Interface>(const Request&)> make;
};

using SourceInfo = ComponentInfo<Source>;
using OutputerInfo = ComponentInfo<Outputer>;
using WaiterInfo = ComponentInfo<Waiter>;

/// The components of this process. A shared library of a user adds its own when it is loaded:
///
///     extern "C" void onecast_events_register(onecast::events::Registry& registry) {
///       registry.add(onecast::events::OutputerInfo{.name = "Mine", ...});
///     }
class Registry {
 public:
  /// Throws Error (already_exists) if the name is taken.
  void add(SourceInfo info);
  void add(OutputerInfo info);
  void add(WaiterInfo info);
  /// Loads a shared library, which registers its components. Throws Error: io, invalid_argument.
  void load(const std::string& library);

  /// Makes a component from a text such as `PDS=out.pds:compression=zstd:level=3`. Throws Error
  /// (invalid_argument): an unknown name or option, a file that is missing or not expected, a wrong
  /// value.
  [[nodiscard]] std::unique_ptr<Source> source(const std::string& text,
                                               std::shared_ptr<Team> team = alone()) const;
  [[nodiscard]] std::unique_ptr<Outputer> outputer(const std::string& text,
                                                   std::shared_ptr<Team> team = alone()) const;
  [[nodiscard]] std::unique_ptr<Waiter> waiter(const std::string& text) const;

  [[nodiscard]] const std::map<std::string, SourceInfo>& sources() const { return sources_; }
  [[nodiscard]] const std::map<std::string, OutputerInfo>& outputers() const { return outputers_; }
  [[nodiscard]] const std::map<std::string, WaiterInfo>& waiters() const { return waiters_; }

 private:
  std::map<std::string, SourceInfo> sources_;
  std::map<std::string, OutputerInfo> outputers_;
  std::map<std::string, WaiterInfo> waiters_;
};

/// The components of Onecast.
Registry standard_components();

}  // namespace onecast::events
