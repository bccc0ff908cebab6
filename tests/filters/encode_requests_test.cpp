// This is no test of its own: through it, test_encoded.py encodes chunks for stock HDF5 to decode.
// Each line of the file ONECAST_ENCODE_REQUESTS has the filters of a pipeline,
// "id:value,value;id:value", all optional, and the chunk in hexadecimal digits. Each line of
// ONECAST_ENCODED has the filter mask and the encoded chunk in hexadecimal digits.

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "filters/support.hpp"

namespace onecast::filters {
namespace {

std::vector<FilterSpec> pipeline(const std::string& text) {
  std::vector<FilterSpec> specs;
  std::istringstream filters(text);
  for (std::string one; std::getline(filters, one, ';');) {
    const std::size_t colon = one.find(':');
    FilterSpec spec{static_cast<std::uint16_t>(std::stoul(one.substr(0, colon))), true, "", {}};
    std::istringstream values(one.substr(colon + 1));
    for (std::string value; std::getline(values, value, ',');)
      spec.client_data.push_back(static_cast<std::uint32_t>(std::stoul(value)));
    specs.push_back(std::move(spec));
  }
  return specs;
}

TEST(EncodeRequests, AreAnswered) {
  const char* requests = std::getenv("ONECAST_ENCODE_REQUESTS");
  const char* encoded = std::getenv("ONECAST_ENCODED");
  if (requests == nullptr || encoded == nullptr) GTEST_SKIP() << "nobody asked";
  std::ifstream in(requests);
  std::ofstream out(encoded);
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    const test::Bytes data = test::hex(std::string_view(line).substr(space + 1));
    const EncodedChunk chunk = encode_chunk(pipeline(line.substr(0, space)), data, test::kWhere);
    std::string digits;
    for (const std::byte b : chunk.bytes) digits += fmt::format("{:02x}", b);
    out << chunk.filter_mask << ' ' << digits << '\n';
  }
  EXPECT_TRUE(out.flush().good());
}

}  // namespace
}  // namespace onecast::filters
