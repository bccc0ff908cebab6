#include "filters/filters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "filters/filter.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

/// "Data Object Header Messages: Filter Pipeline": the filter mask has one bit for each.
constexpr std::size_t kMaxFilters = 32;

std::size_t same_size(std::size_t size) { return size; }
std::size_t four_more(std::size_t size) { return size + 4; }
/// Incompressible bytes cost deflate 5 bytes per 64 KiB at best, and writers may do worse.
std::size_t little_more(std::size_t size) { return size + size / 64 + 1024; }

/// The filters that can be undone; a new one is one line here and one file.
constexpr std::array kFilters = {
    Filter{1, decode_deflate, little_more},
    Filter{2, decode_shuffle, same_size},
    Filter{3, decode_fletcher32, four_more},
};

/// "Filter Identification Value" of the specification, and the public registry of filters; the
/// names serve refusals.
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

const Filter* find_filter(std::uint16_t id) {
  const auto found =
      std::find_if(kFilters.begin(), kFilters.end(), [&](const Filter& f) { return f.id == id; });
  return found == kFilters.end() ? nullptr : &*found;
}

bool is_applied(std::uint32_t filter_mask, std::size_t i) { return (filter_mask >> i & 1U) == 0; }

/// A name from the file, fit for a message.
std::string printable(std::string_view text) {
  std::string out(text.substr(0, 64));
  std::replace_if(out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

/// "32015 (zstd)"
std::string number_and_name(const FilterSpec& spec) {
  const std::string_view known = filter_name(spec.id);
  const std::string name = known.empty() ? printable(spec.name) : std::string(known);
  return name.empty() ? fmt::format("{}", spec.id) : fmt::format("{} ({})", spec.id, name);
}

std::size_t grown(const Filter& filter, std::size_t size) {
  const std::size_t result = filter.max_filtered_size(size);
  return result < size ? std::numeric_limits<std::size_t>::max() : result;
}

}  // namespace

void FilterJob::fail(std::string_view what) const {
  throw Error(ErrorCode::format,
              fmt::format("{}: filter {}: {}", where, number_and_name(spec), what));
}

std::string_view filter_name(std::uint16_t id) {
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const auto& n) { return n.first == id; });
  return found == std::end(kNames) ? std::string_view{} : found->second;
}

void require_filters(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask,
                     const std::string& where) {
  if (pipeline.size() > kMaxFilters)
    throw Error(ErrorCode::format, fmt::format("{}: a pipeline of {} filters; at most {} are valid",
                                               where, pipeline.size(), kMaxFilters));
  for (std::size_t i = 0; i < pipeline.size(); ++i)
    if (is_applied(filter_mask, i) && find_filter(pipeline[i].id) == nullptr)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: not supported: filter {}", where, number_and_name(pipeline[i])));
}

void decode_chunk(const std::vector<FilterSpec>& pipeline, std::uint32_t filter_mask, Bytes& in_out,
                  std::size_t expected_size, const std::string& where) {
  require_filters(pipeline, filter_mask, where);

  // Largest size before each filter was applied, in the order of writing.
  std::array<std::size_t, kMaxFilters> max_size{};
  std::size_t size = expected_size;
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    max_size[i] = size;
    if (is_applied(filter_mask, i)) size = grown(*find_filter(pipeline[i].id), size);
  }

  for (std::size_t i = pipeline.size(); i-- > 0;) {
    if (!is_applied(filter_mask, i)) continue;
    const FilterJob job{pipeline[i], max_size[i], where};
    in_out = find_filter(pipeline[i].id)->decode(job, std::move(in_out));
    if (in_out.size() > job.max_size)
      job.fail(fmt::format("{} bytes, at most {} are possible", in_out.size(), job.max_size));
  }
  if (in_out.size() != expected_size)
    throw Error(ErrorCode::format, fmt::format("{}: the chunk has {} bytes, {} are expected", where,
                                               in_out.size(), expected_size));
}

}  // namespace onecast
