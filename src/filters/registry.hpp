#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/namespaces.hpp"
#include "filters/own_filter.hpp"
#include "onecast/filters/register_filter.hpp"

namespace onecast::filters {

/// A filter that the user registered.
struct RegisteredFilter {
  std::string name;
  FilterFunction decode;
  FilterFunction encode;  ///< empty: it cannot be applied
};

/// One of Onecast's own filters, a registered one, or none.
struct FoundFilter {
  const OwnFilter* own = nullptr;
  std::shared_ptr<const RegisteredFilter> registered;

  [[nodiscard]] bool exists() const { return own != nullptr || registered != nullptr; }
  /// Its common name, else its name in the file, else its registered name.
  [[nodiscard]] std::string name(const FilterSpec& spec) const;
  [[nodiscard]] std::size_t max_filtered_size(std::size_t size) const;
  [[nodiscard]] bool encodes() const {
    return own != nullptr ? own->encode != nullptr : registered != nullptr && registered->encode;
  }
  ByteView decode(const FilterJob& job, ByteView filtered, Workspace& workspace) const;
  [[nodiscard]] std::optional<ByteView> encode(const FilterJob& job, ByteView plain,
                                               Workspace& workspace) const;
};

/// Also searches the plug-ins that the environment names.
FoundFilter find_filter(std::uint16_t id);
std::map<std::uint16_t, std::shared_ptr<const RegisteredFilter>> registered_filters();

/// Returns "32015 (zstd)", with the name as in FoundFilter::name, whether the filter is found or
/// not; and what missing_library() returns.
std::string number_and_name(const FilterSpec& spec);

}  // namespace onecast::filters
