#include <blosc.h>

#include "filters/filter.hpp"

namespace onecast {

/// One buffer of Blosc, whose head tells the codec, the shuffle and all sizes.
ByteView decode_blosc(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  if (filtered.size() < BLOSC_MIN_HEADER_LENGTH) job.fail("ends early");
  std::size_t size = 0;
  std::size_t compressed = 0;
  std::size_t block = 0;
  blosc_cbuffer_sizes(filtered.data(), &size, &compressed, &block);
  // The library believes the length in the head, so it has to be checked before.
  if (compressed > filtered.size() ||
      blosc_cbuffer_validate(filtered.data(), compressed, &size) != 0)
    job.fail("not a valid Blosc buffer");
  const std::span<std::byte> out = workspace.result(job.claimed_size(size));
  const int decoded = blosc_decompress_ctx(filtered.data(), out.data(), out.size(), 1);
  if (decoded < 0 || static_cast<std::size_t>(decoded) != size) {
    const char* codec = blosc_cbuffer_complib(filtered.data());
    job.fail(std::string("not valid, or of a codec that this Blosc lacks: ") +
             (codec == nullptr ? "unknown" : codec));
  }
  return out;
}

}  // namespace onecast
