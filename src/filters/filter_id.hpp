#pragma once

#include <cstdint>

namespace onecast {

/// "Filter Identification Value" of the specification, and the public registry of filters.
namespace filter_id {
constexpr std::uint16_t kDeflate = 1;
constexpr std::uint16_t kShuffle = 2;
constexpr std::uint16_t kFletcher32 = 3;
constexpr std::uint16_t kSzip = 4;
constexpr std::uint16_t kNbit = 5;
constexpr std::uint16_t kScaleOffset = 6;
constexpr std::uint16_t kBzip2 = 307;
constexpr std::uint16_t kLzf = 32000;
constexpr std::uint16_t kBlosc = 32001;
constexpr std::uint16_t kLz4 = 32004;
constexpr std::uint16_t kBitshuffle = 32008;
constexpr std::uint16_t kZstd = 32015;
}  // namespace filter_id

/// The bits of szip's options mask.
namespace szip_option {
constexpr std::uint32_t kAllowK13 = 1;
constexpr std::uint32_t kEntropyCoding = 4;
constexpr std::uint32_t kLittleEndian = 8;
constexpr std::uint32_t kBigEndian = 16;
constexpr std::uint32_t kNearestNeighbour = 32;
constexpr std::uint32_t kRaw = 128;  ///< no header of szip's own
}  // namespace szip_option

/// The first value of scale-offset's client data.
enum class ScaleType : std::uint32_t { decimal = 0, exponent = 1, integer = 2 };

}  // namespace onecast
