#include "onecast/filters/known_filters.hpp"

#include <algorithm>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/capi/filter.h"

using namespace onecast;
using namespace onecast::capi;

namespace {

onecast_known_filter* returned(const std::vector<KnownFilter>& known) {
  std::size_t bytes = 0;
  for (const KnownFilter& filter : known) bytes += filter.name.size() + filter.h5py_name.size() + 2;
  ReturnedBlock block(known.size(), sizeof(onecast_known_filter), bytes);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const KnownFilter& filter = known[i];
    block.entries<onecast_known_filter>()[i] = {
        filter.id, filter.decodes ? 1 : 0, filter.encodes ? 1 : 0, block.put(filter.name),
        filter.h5py_name.empty() ? nullptr : block.put(filter.h5py_name)};
  }
  return static_cast<onecast_known_filter*>(block.release());
}

onecast_filter_parameter* returned(const std::vector<FilterParameter>& parameters) {
  std::size_t bytes = 0;
  for (const FilterParameter& parameter : parameters) bytes += parameter.name.size() + 1;
  ReturnedBlock block(parameters.size(), sizeof(onecast_filter_parameter), bytes);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const FilterParameter& p = parameters[i];
    block.entries<onecast_filter_parameter>()[i] = {block.put(p.name), p.position, p.otherwise,
                                                    p.least, p.most};
  }
  return static_cast<onecast_filter_parameter*>(block.release());
}

}  // namespace

onecast_status onecast_filter_named(const char* name, const uint32_t* client_data,
                                    size_t client_data_count, onecast_filter* filter) {
  return guard([&] {
    required(filter, "filter");
    if (client_data == nullptr && client_data_count != 0) reject("client_data is NULL");
    const std::string_view wanted = required_text(name, "name");
    if (client_data_count > ONECAST_MAX_CLIENT_DATA)
      reject("client_data_count: at most " + std::to_string(ONECAST_MAX_CLIENT_DATA) +
             " are expected");
    const Filter found = filter_named(wanted, {client_data, client_data + client_data_count});
    onecast_filter made = {};
    made.id = found.id;
    made.optional = found.optional ? 1 : 0;
    made.client_data_count = found.client_data.size();
    std::copy(found.client_data.begin(), found.client_data.end(), made.client_data);
    *filter = made;
  });
}

onecast_status onecast_known_filters(onecast_known_filter** filters, size_t* count) {
  return guard_listing(filters, count, [&] {
    required(filters, "filters");
    required(count, "count");
    const std::vector<KnownFilter> known = known_filters();
    *filters = returned(known);
    *count = known.size();
  });
}

onecast_status onecast_filter_parameters(const char* name, onecast_filter_parameter** parameters,
                                         size_t* count) {
  return guard_listing(parameters, count, [&] {
    required(parameters, "parameters");
    required(count, "count");
    const std::uint16_t id = filter_named(required_text(name, "name")).id;
    const std::vector<KnownFilter> known = known_filters();
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const KnownFilter& filter) { return filter.id == id; });
    *parameters = returned(found->parameters);
    *count = found->parameters.size();
  });
}
