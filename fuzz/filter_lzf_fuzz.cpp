// Chunks of LZF; the input is that of one_filter.hpp.
#include "fuzz/one_filter.hpp"

namespace onecast {

FUZZ_TARGET(bytes) { fuzz::decode_with(32000, bytes); }

}  // namespace onecast
