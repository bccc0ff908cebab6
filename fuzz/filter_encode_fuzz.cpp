// What is encoded has to be decoded to the same. The input is: number of filters (8 bits), for each
// its number (16 bits), number of client data values (8 bits) and these values; then the chunk.
#include <cstdlib>

#include "filters/filters.hpp"
#include "fuzz/input.hpp"

namespace onecast {

using namespace filters;

namespace {

/// These may lose bits, and then something else is decoded.
bool loses(const FilterSpec& spec) { return spec.id >= 4 && spec.id <= 6; }

}  // namespace

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] {
    const FileContext file{"input", 8, 8};
    ByteReader in(bytes, Address{0}, file);
    std::vector<FilterSpec> pipeline(in.uint(1, "filters") % 4);
    for (FilterSpec& spec : pipeline) {
      spec.id = static_cast<std::uint16_t>(in.uint(2, "id"));
      spec.optional = true;
      spec.client_data.resize(in.uint(1, "values"));
      for (std::uint32_t& value : spec.client_data)
        value = static_cast<std::uint32_t>(in.uint(4, "value"));
    }
    const ByteView chunk = in.bytes(in.remaining(), "bytes");
    const EncodedChunk encoded = encode_chunk(pipeline, chunk, "input");
    const bool exactly = std::none_of(pipeline.begin(), pipeline.end(), loses);
    std::vector<std::byte> decoded = encoded.bytes;
    try {
      decode_chunk(pipeline, encoded.filter_mask, decoded, chunk.size(), "input");
    } catch (const Error&) {
      if (exactly) std::abort();
      return;
    }
    if (exactly && !std::equal(decoded.begin(), decoded.end(), chunk.begin(), chunk.end()))
      std::abort();
  });
}

}  // namespace onecast
