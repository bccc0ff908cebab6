// Chunks of n-bit; the input is that of one_filter.hpp.
#include "fuzz/one_filter.hpp"

namespace onecast {

FUZZ_TARGET(bytes) { fuzz::decode_with(5, bytes); }

}  // namespace onecast
