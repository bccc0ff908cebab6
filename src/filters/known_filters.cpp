#include "onecast/filters/known_filters.hpp"

#include "base/make_error.hpp"
#include "filters/own_filter.hpp"
#include "filters/registry.hpp"

namespace onecast {

using namespace filters;

namespace {

bool is_called(const KnownFilter& filter, std::string_view name) {
  return filter.name == name || (!filter.h5py_name.empty() && filter.h5py_name == name);
}

/// Adds missing required values at the front.
ClientData completed(const OwnFilter& filter, const ClientData& given) {
  ClientData values;
  for (std::size_t i = 0; given.size() + i < filter.required; ++i)
    values.push_back(static_cast<std::uint32_t>(filter.parameters[i].otherwise));
  values.insert(values.end(), given.begin(), given.end());
  return values;
}

}  // namespace

std::vector<KnownFilter> known_filters() {
  std::vector<KnownFilter> known;
  const auto registered = registered_filters();
  for (const OwnFilter* own : own_filters()) {
    if (!own->is_there() && registered.contains(own->id)) continue;
    known.push_back({own->id,
                     std::string(own->name),
                     std::string(own->h5py_name),
                     own->is_there(),
                     own->encode != nullptr,
                     {own->parameters.begin(), own->parameters.end()}});
  }
  for (const auto& [id, filter] : registered)
    known.push_back({id, filter->name, {}, true, static_cast<bool>(filter->encode), {}});
  return known;
}

Filter filter_named(std::string_view name, ClientData client_data) {
  std::string names;
  for (const KnownFilter& known : known_filters()) {
    if (is_called(known, name)) {
      const OwnFilter* own = find_own_filter(known.id);
      return own == nullptr ? Filter{known.id, true, std::move(client_data)}
                            : own->with(completed(*own, client_data));
    }
    const std::string& shown = known.h5py_name.empty() ? known.name : known.h5py_name;
    names += (names.empty() ? "" : ", ") + shown;
  }
  throw argument_error("unknown filter '{}': expected one of {}", name, names);
}

}  // namespace onecast
