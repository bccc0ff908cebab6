#include "filters/filter_name.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "filters/own_filter.hpp"

namespace onecast::filters {
namespace {

/// Registered filters of other authors for which Onecast has no decoder; errors name them.
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

}  // namespace

std::string_view filter_name(std::uint16_t id) {
  if (const OwnFilter* own = find_own_filter(id)) return own->name;
  const auto* found = std::find_if(std::begin(kOthers), std::end(kOthers),
                                   [&](const auto& other) { return other.first == id; });
  return found == std::end(kOthers) ? std::string_view{} : found->second;
}

}  // namespace onecast::filters
