#include "filters/support.hpp"

namespace onecast::test {

using namespace filters;

Bytes hex(std::string_view digits) {
  Bytes bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes.push_back(
        static_cast<std::byte>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  return bytes;
}

Bytes ones(std::size_t size) { return Bytes(size, std::byte{0xFF}); }

const std::vector<OracleCase>& oracle() {
  static const std::vector<OracleCase> cases = {
#include "oracle_common.inc"
#include "oracle_nbit.inc"
#include "oracle_registered.inc"
#include "oracle_scaleoffset.inc"
#include "oracle_szip.inc"
  };
  return cases;
}

}  // namespace onecast::test
