#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/filters/filter.hpp"

namespace onecast {

/// A parameter of a filter.
struct FilterParameter {
  std::string_view name;       ///< "level"; valid as long as the program runs
  std::size_t position = 0;    ///< its index in Filter::client_data
  std::int64_t otherwise = 0;  ///< the default
  std::int64_t least = 0;      ///< if negative, the value is a signed 32-bit number
  std::int64_t most = 0;
};

/// A filter that this process can decode, or one of Onecast's own that it cannot because Onecast
/// was built without the filter's library.
struct KnownFilter {
  std::uint16_t id = 0;
  std::string name;       ///< "zstd"; for a registered filter, the registered name
  std::string h5py_name;  ///< h5py's name if it differs, such as "gzip" for "deflate"; else empty
  bool decodes = false;   ///< false if Onecast was built without the filter's library
  bool encodes = false;   ///< true if this process can also encode with it
  std::vector<FilterParameter> parameters;
};

/// Lists Onecast's own filters by number, then those registered in this process. @independent
std::vector<KnownFilter> known_filters();

/// Returns the filter with this name, or with this name in h5py. Required parameters that are not
/// given get their defaults, in front of `client_data`. Throws Error (invalid_argument), which
/// lists the names, if no known filter has this name. @independent
Filter filter_named(std::string_view name, std::vector<std::uint32_t> client_data = {});

}  // namespace onecast
