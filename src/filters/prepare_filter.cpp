#include "filters/prepare_filter.hpp"

#include <algorithm>
#include <cstddef>

#include "filters/filter_name.hpp"
#include "filters/filters.hpp"
#include "filters/own_filter.hpp"

namespace onecast::filters {

FilterSpec prepare_filter(const Filter& filter, const FilteredDataset& dataset,
                          const std::string& where) {
  FilterSpec spec{filter.id, filter.optional, std::string(filter_name(filter.id)),
                  filter.client_data};
  if (const OwnFilter* own = find_own_filter(filter.id))
    spec.client_data = own->client_data(FilterSetup(filter, own->name, dataset, where));
  // A filter that was asked for by name is never left out for want of its library.
  const bool is_own = find_own_filter(filter.id) != nullptr;
  require_encoders({{spec.id, spec.optional && !is_own, spec.name, {}}}, where);
  return spec;
}

Filter asked_for(const FilterSpec& spec) {
  Filter filter{spec.id, spec.optional, spec.client_data};
  if (const OwnFilter* own = find_own_filter(spec.id)) {
    const std::size_t begin = std::min(own->asked.first, spec.client_data.size());
    const std::size_t count = std::min(own->asked.count, spec.client_data.size() - begin);
    const auto first = spec.client_data.begin() + static_cast<std::ptrdiff_t>(begin);
    filter.client_data.assign(first, first + static_cast<std::ptrdiff_t>(count));
  }
  return filter;
}

}  // namespace onecast::filters
