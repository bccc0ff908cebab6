// Filter pipelines. The input is: number of filters, for each its number and client value, the
// mask, the expected size (16 bits), the filtered bytes.
#include "filters/filters.hpp"
#include "fuzz/input.hpp"

namespace onecast {

using namespace filters;

FUZZ_TARGET(bytes) {
  fuzz::expect_errors_only([&] {
    const FileContext file{"input", 8, 8};
    ByteReader in(bytes, Address{0}, file);
    std::vector<FilterSpec> pipeline(in.uint(1, "filters") % 5);
    for (FilterSpec& spec : pipeline) {
      spec.id = static_cast<std::uint16_t>(in.uint(1, "id"));
      spec.client_data.assign(1, static_cast<std::uint32_t>(in.uint(1, "client data")));
    }
    const auto mask = static_cast<std::uint32_t>(in.uint(1, "mask"));
    const auto expected = static_cast<std::size_t>(in.uint(2, "size"));
    const ByteView rest = in.bytes(in.remaining(), "bytes");
    std::vector<std::byte> chunk(rest.begin(), rest.end());
    decode_chunk(pipeline, mask, chunk, expected, "input");
  });
}

}  // namespace onecast
