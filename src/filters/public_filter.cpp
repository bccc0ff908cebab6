#include "filters/filter_id.hpp"
#include "onecast/filters/filter.hpp"

namespace onecast {
namespace {

template <class Enum>
std::uint32_t number(Enum value) {
  return static_cast<std::uint32_t>(value);
}

}  // namespace

Filter Filter::deflate(std::uint32_t level) { return {filter_id::kDeflate, true, {level}}; }

Filter Filter::shuffle() { return {filter_id::kShuffle, true, {}}; }

// A checksum that is left out guards nothing.
Filter Filter::fletcher32() { return {filter_id::kFletcher32, false, {}}; }

Filter Filter::szip(Szip coding, std::uint32_t pixels_per_block) {
  return {filter_id::kSzip,
          true,
          {coding == Szip::nearest_neighbour ? szip_option::kNearestNeighbour
                                             : szip_option::kEntropyCoding,
           pixels_per_block}};
}

Filter Filter::nbit() { return {filter_id::kNbit, true, {}}; }

Filter Filter::scale_offset(std::uint32_t bits) {
  return {filter_id::kScaleOffset, true, {number(ScaleType::integer), bits}};
}

Filter Filter::scale_offset_decimal(std::uint32_t decimals) {
  return {filter_id::kScaleOffset, true, {number(ScaleType::decimal), decimals}};
}

Filter Filter::lzf() { return {filter_id::kLzf, true, {}}; }

Filter Filter::lz4(std::uint32_t block_bytes) { return {filter_id::kLz4, true, {block_bytes}}; }

Filter Filter::zstd(std::uint32_t level) { return {filter_id::kZstd, true, {level}}; }

Filter Filter::blosc(BloscCodec codec, std::uint32_t level, BloscShuffle shuffle) {
  // The plugin keeps the first four values for itself.
  return {filter_id::kBlosc, true, {0, 0, 0, 0, level, number(shuffle), number(codec)}};
}

Filter Filter::bitshuffle(BitshuffleCodec codec, std::uint32_t block_elements,
                          std::uint32_t level) {
  Filter filter{filter_id::kBitshuffle, true, {block_elements, number(codec)}};
  if (codec == BitshuffleCodec::zstd) filter.client_data.push_back(level);
  return filter;
}

Filter Filter::bzip2(std::uint32_t level) { return {filter_id::kBzip2, true, {level}}; }

}  // namespace onecast
