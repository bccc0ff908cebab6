#include <algorithm>
#include <utility>

#include "filters/filters.hpp"

namespace onecast {
namespace {

/// "Filter Identification Value" of the specification, and the public registry of filters.
constexpr std::pair<std::uint16_t, std::string_view> kNames[] = {
    {1, "deflate"},        {2, "shuffle"},
    {3, "fletcher32"},     {4, "szip"},
    {5, "nbit"},           {6, "scaleoffset"},
    {305, "lzo"},          {307, "bzip2"},
    {32000, "lzf"},        {32001, "blosc"},
    {32002, "mafisc"},     {32003, "snappy"},
    {32004, "lz4"},        {32005, "apax"},
    {32006, "cbf"},        {32007, "jpeg-xr"},
    {32008, "bitshuffle"}, {32009, "spdp"},
    {32010, "lpc-rice"},   {32011, "ccsds-123"},
    {32012, "jpeg-ls"},    {32013, "zfp"},
    {32014, "fpzip"},      {32015, "zstd"},
    {32016, "b3d"},        {32017, "sz"},
    {32018, "fcidecomp"},  {32019, "jpeg"},
    {32020, "vbz"},        {32021, "fapec"},
    {32022, "bitgroom"},   {32023, "granular bitround"},
    {32024, "sz3"},        {32025, "delta-rice"},
    {32026, "blosc2"},     {32027, "flac"},
    {32028, "sperr"},      {32029, "terse/prolix"},
    {32030, "ffmpeg"},
};

}  // namespace

std::string_view filter_name(std::uint16_t id) {
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const auto& n) { return n.first == id; });
  return found == std::end(kNames) ? std::string_view{} : found->second;
}

}  // namespace onecast
