#include "onecast/filters/known_filters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "filters/own_filter.hpp"
#include "filters/registry.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

#define ONECAST_FILTER_ADDRESS(NAME) &k##NAME##Filter,
constexpr const OwnFilter* kOwnFilters[] = {ONECAST_OWN_FILTERS(ONECAST_FILTER_ADDRESS)};
#undef ONECAST_FILTER_ADDRESS

/// Those registered filters that others than Onecast defined and that it has no decoder of; they
/// are refused by their names.
constexpr std::pair<std::uint16_t, std::string_view> kOthers[] = {
    {305, "lzo"},         {32002, "mafisc"},
    {32003, "snappy"},    {32005, "apax"},
    {32006, "cbf"},       {32007, "jpeg-xr"},
    {32009, "spdp"},      {32010, "lpc-rice"},
    {32011, "ccsds-123"}, {32012, "jpeg-ls"},
    {32013, "zfp"},       {32014, "fpzip"},
    {32016, "b3d"},       {32017, "sz"},
    {32018, "fcidecomp"}, {32019, "jpeg"},
    {32020, "vbz"},       {32021, "fapec"},
    {32022, "bitgroom"},  {32023, "granular bitround"},
    {32024, "sz3"},       {32025, "delta-rice"},
    {32026, "blosc2"},    {32027, "flac"},
    {32028, "sperr"},     {32029, "terse/prolix"},
    {32030, "ffmpeg"},
};

bool is_called(const KnownFilter& filter, std::string_view name) {
  return filter.name == name || (!filter.h5py_name.empty() && filter.h5py_name == name);
}

/// Puts those of the required values that are missing in front.
ClientData completed(const OwnFilter& filter, const ClientData& given) {
  ClientData values;
  for (std::size_t i = 0; given.size() + i < filter.required; ++i)
    values.push_back(static_cast<std::uint32_t>(filter.parameters[i].otherwise));
  values.insert(values.end(), given.begin(), given.end());
  return values;
}

}  // namespace

std::span<const OwnFilter* const> own_filters() { return kOwnFilters; }

const OwnFilter* find_own_filter(std::uint16_t id) {
  const auto* found = std::find_if(std::begin(kOwnFilters), std::end(kOwnFilters),
                                   [&](const OwnFilter* f) { return f->id == id; });
  return found == std::end(kOwnFilters) ? nullptr : *found;
}

std::string_view filter_name(std::uint16_t id) {
  if (const OwnFilter* own = find_own_filter(id)) return own->name;
  const auto* found = std::find_if(std::begin(kOthers), std::end(kOthers),
                                   [&](const auto& other) { return other.first == id; });
  return found == std::end(kOthers) ? std::string_view{} : found->second;
}

std::vector<KnownFilter> known_filters() {
  std::vector<KnownFilter> known;
  for (const OwnFilter* own : kOwnFilters)
    known.push_back({own->id,
                     std::string(own->name),
                     std::string(own->h5py_name),
                     own->encode != nullptr,
                     {own->parameters.begin(), own->parameters.end()}});
  for (const auto& [id, filter] : registered_filters())
    known.push_back({id, filter->name, {}, static_cast<bool>(filter->encode), {}});
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
  throw Error(ErrorCode::invalid_argument,
              fmt::format("unknown filter '{}': expected one of {}", name, names));
}

}  // namespace onecast
