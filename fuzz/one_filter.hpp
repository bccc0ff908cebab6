#pragma once

#include "filters/filters.hpp"
#include "fuzz/input.hpp"

namespace onecast::fuzz {

using namespace filters;

/// Decodes the input as a chunk of one filter. It is: number of client data values (8 bits), these
/// values, the expected size (16 bits), the filtered bytes.
inline void decode_with(std::uint16_t id, Input bytes) {
  expect_errors_only([&] {
    const FileContext file{"input", 8, 8};
    ByteReader in(bytes, Address{0}, file);
    FilterSpec spec{id, false, "", {}};
    const std::uint64_t count = in.uint(1, "values");
    for (std::uint64_t i = 0; i < count; ++i)
      spec.client_data.push_back(static_cast<std::uint32_t>(in.uint(4, "value")));
    const auto expected = static_cast<std::size_t>(in.uint(2, "size"));
    const ByteView rest = in.bytes(in.remaining(), "bytes");
    std::vector<std::byte> chunk(rest.begin(), rest.end());
    decode_chunk({spec}, 0, chunk, expected, "input");
  });
}

}  // namespace onecast::fuzz
