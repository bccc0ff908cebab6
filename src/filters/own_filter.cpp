#include "filters/own_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace onecast::filters {
namespace {

#define ONECAST_FILTER_ADDRESS(NAME) &k##NAME##Filter,
constexpr const OwnFilter* kOwnFilters[] = {ONECAST_OWN_FILTERS(ONECAST_FILTER_ADDRESS)};
#undef ONECAST_FILTER_ADDRESS

}  // namespace

std::span<const OwnFilter* const> own_filters() { return kOwnFilters; }

const OwnFilter* find_own_filter(std::uint16_t id) {
  const auto* found = std::find_if(std::begin(kOwnFilters), std::end(kOwnFilters),
                                   [&](const OwnFilter* f) { return f->id == id; });
  return found == std::end(kOwnFilters) ? nullptr : *found;
}

std::string missing_library(std::uint16_t id) {
  const OwnFilter* own = find_own_filter(id);
  return own == nullptr || own->is_there()
             ? std::string()
             : fmt::format(": Onecast was built without {}", own->library);
}

}  // namespace onecast::filters
