#include <blosc.h>

#include <algorithm>

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

/// Like the registered plugin: no larger than before, or not at all.
std::optional<ByteView> encode_blosc(const FilterJob& job, ByteView plain, Workspace& workspace) {
  // Two versions, the bytes of an element and of the chunk; then what the user asks for.
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  if (values.size() < 4 || values[2] == 0)
    job.fail("client data: expected four values or more, the third the size of an element");
  const auto value = [&](std::size_t i, std::uint32_t otherwise) {
    return static_cast<int>(std::min(i < values.size() ? values[i] : otherwise, 256U));
  };
  // Blosc divides by some sizes that it then does not take.
  const std::size_t width = values[2] > BLOSC_MAX_TYPESIZE ? 1 : values[2];
  const int level = value(4, 5);
  const int shuffle = value(5, BLOSC_SHUFFLE);
  const int codec = value(6, BLOSC_BLOSCLZ);
  const char* name = nullptr;
  if (level > 9) job.fail("client data: a level above 9");
  if (shuffle > BLOSC_BITSHUFFLE) job.fail("client data: an unknown shuffle");
  if (blosc_compcode_to_compname(codec, &name) < 0)
    job.fail("client data: a codec that this Blosc lacks");
  if (plain.size() > BLOSC_MAX_BUFFERSIZE) job.fail("2 GiB or more");

  const std::span<std::byte> out = workspace.result(plain.size());
  const int size = blosc_compress_ctx(level, shuffle, width, plain.size(), plain.data(), out.data(),
                                      out.size(), name, 0, 1);
  if (size < 0) job.fail("Blosc failed");
  if (size == 0) return std::nullopt;
  return out.first(static_cast<std::size_t>(size));
}

}  // namespace onecast
