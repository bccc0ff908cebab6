#include "onecast/capi/filter.h"

#include <algorithm>

#include "onecast/filters/filter.hpp"

using onecast::Filter;

namespace {

onecast_filter plain(const Filter& filter) {
  onecast_filter given = {};
  given.id = filter.id;
  given.optional = filter.optional ? 1 : 0;
  given.client_data_count =
      std::min<std::size_t>(filter.client_data.size(), ONECAST_MAX_CLIENT_DATA);
  std::copy_n(filter.client_data.begin(), given.client_data_count, given.client_data);
  return given;
}

}  // namespace

onecast_filter onecast_filter_deflate(uint32_t level) { return plain(Filter::deflate(level)); }
onecast_filter onecast_filter_shuffle(void) { return plain(Filter::shuffle()); }
onecast_filter onecast_filter_fletcher32(void) { return plain(Filter::fletcher32()); }
onecast_filter onecast_filter_szip(int nearest_neighbour, uint32_t pixels_per_block) {
  const auto coding =
      nearest_neighbour != 0 ? Filter::Szip::nearest_neighbour : Filter::Szip::entropy_coding;
  return plain(Filter::szip(coding, pixels_per_block));
}
onecast_filter onecast_filter_nbit(void) { return plain(Filter::nbit()); }
onecast_filter onecast_filter_scale_offset(uint32_t bits) {
  return plain(Filter::scale_offset(bits));
}
onecast_filter onecast_filter_scale_offset_decimal(uint32_t decimals) {
  return plain(Filter::scale_offset_decimal(decimals));
}
onecast_filter onecast_filter_lzf(void) { return plain(Filter::lzf()); }
onecast_filter onecast_filter_lz4(uint32_t block_bytes) { return plain(Filter::lz4(block_bytes)); }
onecast_filter onecast_filter_zstd(uint32_t level) { return plain(Filter::zstd(level)); }
onecast_filter onecast_filter_bzip2(uint32_t level) { return plain(Filter::bzip2(level)); }
onecast_filter onecast_filter_blosc(onecast_blosc_codec codec, uint32_t level,
                                    onecast_blosc_shuffle shuffle) {
  return plain(Filter::blosc(static_cast<Filter::BloscCodec>(codec), level,
                             static_cast<Filter::BloscShuffle>(shuffle)));
}
onecast_filter onecast_filter_bitshuffle(onecast_bitshuffle_codec codec, uint32_t block_elements,
                                         uint32_t level) {
  return plain(
      Filter::bitshuffle(static_cast<Filter::BitshuffleCodec>(codec), block_elements, level));
}
