#include "pages/content_digest.hpp"

#include <xxhash.h>

namespace onecast::pages {

std::uint64_t content_digest(ByteView bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace onecast::pages
