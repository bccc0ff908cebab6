#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "base/namespaces.hpp"
#include "filters/filter.hpp"
#include "filters/filter_setup.hpp"
#include "onecast/filters/known_filters.hpp"

namespace onecast::filters {

/// The range of stored client data that come from the user; the others follow from the dataset.
struct AskedValues {
  std::size_t first = 0;
  std::size_t count = std::numeric_limits<std::size_t>::max();
};
constexpr AskedValues kNothingAsked{0, 0};

/// The largest size that `size` bytes may have when filtered. The filters after this one accept and
/// allocate no more.
using MaxFilteredSize = std::size_t (*)(std::size_t size);
constexpr std::size_t same_size(std::size_t size) { return size; }
/// The cost of incompressible bytes: for deflate at least 5 bytes per 64 KiB, for lzf one per 32;
/// writers may do worse.
constexpr std::size_t little_more(std::size_t size) { return size + size / 16 + 1024; }
/// With very small blocks the head of each counts; nothing is known of a registered filter.
constexpr std::size_t much_more(std::size_t size) { return 8 * size + 65536; }

/// One of Onecast's own filters, defined in the filter's own file.
struct OwnFilter {
  std::uint16_t id = 0;  ///< "Filter Identification Value", or the number in the public registry of
                         ///< filters
  std::string_view name;
  std::string_view h5py_name = {};  ///< h5py's name, if it is different
  /// The user's parameters.
  std::span<const FilterParameter> parameters = {};
  /// The number of required values; filter_named adds missing ones.
  std::size_t required = 0;
  /// True if, by default, a chunk on which the filter fails may be stored without it.
  bool optional = true;
  std::string_view library = {};  ///< the library that it needs; empty: none
  Decoder decode = nullptr;       ///< nullptr: Onecast was built without the library
  Encoder encode = nullptr;       ///< nullptr: it cannot be applied
  MaxFilteredSize max_filtered_size = little_more;
  /// Makes the client data to store.
  ClientData (*client_data)(const FilterSetup& setup) = nullptr;
  AskedValues asked = {};

  /// Returns false if Onecast was built without the library. A registered filter then takes its
  /// place.
  [[nodiscard]] bool is_there() const { return decode != nullptr; }
  [[nodiscard]] Filter with(ClientData values) const { return {id, optional, std::move(values)}; }
};

/// Onecast's own filters, by number. A new filter is a file that defines its kNAMEFilter, and a
/// line here.
#define ONECAST_OWN_FILTERS(FILTER) \
  FILTER(Deflate)                   \
  FILTER(Shuffle)                   \
  FILTER(Fletcher32)                \
  FILTER(Szip)                      \
  FILTER(Nbit)                      \
  FILTER(ScaleOffset)               \
  FILTER(Bzip2)                     \
  FILTER(Lzf)                       \
  FILTER(Blosc)                     \
  FILTER(Lz4)                       \
  FILTER(Bitshuffle)                \
  FILTER(Zstd)

#define ONECAST_DECLARE_FILTER(NAME) extern const OwnFilter k##NAME##Filter;
ONECAST_OWN_FILTERS(ONECAST_DECLARE_FILTER)
#undef ONECAST_DECLARE_FILTER

std::span<const OwnFilter* const> own_filters();
/// Null if Onecast has no filter of that number, with or without its library.
const OwnFilter* find_own_filter(std::uint16_t id);
/// Returns ": Onecast was built without libzstd" for a filter whose library is missing, else an
/// empty text.
std::string missing_library(std::uint16_t id);

}  // namespace onecast::filters
