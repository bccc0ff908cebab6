#include "filters/own_filter.hpp"

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

}  // namespace onecast::filters
