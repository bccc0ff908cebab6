#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/filters/filter.hpp"

namespace onecast {

/// A value that a filter takes.
struct FilterParameter {
  std::string_view name;       ///< "level"; valid for ever
  std::size_t position = 0;    ///< in Filter::client_data
  std::int64_t otherwise = 0;  ///< what is taken where it is not given
  std::int64_t least = 0;      ///< below 0: the value is signed, in 32 bits
  std::int64_t most = 0;
};

/// A filter that this process can undo.
struct KnownFilter {
  std::uint16_t id = 0;
  std::string name;       ///< "zstd"; of a registered one as it was registered
  std::string h5py_name;  ///< where h5py calls it otherwise, as "gzip" for "deflate"; else empty
  bool encodes = false;   ///< can it be applied, too?
  std::vector<FilterParameter> parameters;
};

/// Onecast's own filters, by their numbers, then those registered in this process.
/// @independent
std::vector<KnownFilter> known_filters();

/// The filter of that name, or of that name in h5py. Values that it cannot do without and that are
/// not given are put in front of `client_data`, as they are by default. Throws Error
/// (invalid_argument) that lists the names, if no known filter has this one.
/// @independent
Filter filter_named(std::string_view name, std::vector<std::uint32_t> client_data = {});

}  // namespace onecast
