#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/namespaces.hpp"
#include "filters/filter.hpp"
#include "filters/filter_setup.hpp"
#include "onecast/filters/known_filters.hpp"

namespace onecast::filters {

/// Which of the stored client data the user gave; the others follow from the dataset.
struct AskedValues {
  std::size_t first = 0;
  std::size_t count = std::numeric_limits<std::size_t>::max();
};
constexpr AskedValues kNothingAsked{0, 0};

/// How large `size` bytes may become when filtered: nothing larger is looked at or allocated for
/// the filters after this one.
using MaxFilteredSize = std::size_t (*)(std::size_t size);
constexpr std::size_t same_size(std::size_t size) { return size; }
/// What incompressible bytes cost: for deflate 5 bytes per 64 KiB at best, for lzf one per 32;
/// writers may do worse.
constexpr std::size_t little_more(std::size_t size) { return size + size / 16 + 1024; }
/// With very small blocks the head of each counts, and of a registered filter nothing is known.
constexpr std::size_t much_more(std::size_t size) { return 8 * size + 65536; }

/// All that Onecast knows of one of its filters. Each stands in the filter's own file.
struct OwnFilter {
  std::uint16_t id = 0;  ///< "Filter Identification Value", or of the public registry of filters
  std::string_view name;
  std::string_view h5py_name = {};  ///< where h5py calls it otherwise
  /// What a user may give.
  std::span<const FilterParameter> parameters = {};
  /// So many values have to be given; filter_named adds those that are missing.
  std::size_t required = 0;
  /// May a chunk that it fails on be stored without it, unless the user says otherwise?
  bool optional = true;
  Decoder decode = nullptr;
  Encoder encode = nullptr;  ///< nullptr: it cannot be applied
  MaxFilteredSize max_filtered_size = little_more;
  /// The client data to store.
  ClientData (*client_data)(const FilterSetup& setup) = nullptr;
  AskedValues asked = {};

  [[nodiscard]] Filter with(ClientData values) const { return {id, optional, std::move(values)}; }
};

/// Onecast's own filters, by their numbers. A new one is a file that defines its kNAMEFilter, and
/// its line here.
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
/// Nothing, if Onecast has no filter of that number.
const OwnFilter* find_own_filter(std::uint16_t id);

}  // namespace onecast::filters
