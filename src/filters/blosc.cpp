#include <algorithm>

#include "filters/own_filter.hpp"

#ifdef ONECAST_HAVE_BLOSC
#include <blosc.h>
#endif

namespace onecast::filters {
namespace {

constexpr FilterParameter kLevel{"level", 4, 5, 0, 9};
constexpr FilterParameter kShuffle{"shuffle", 5, static_cast<int>(Filter::BloscShuffle::bytes), 0,
                                   static_cast<int>(Filter::BloscShuffle::bits)};
constexpr FilterParameter kCodec{"codec", 6, static_cast<int>(Filter::BloscCodec::blosclz), 0,
                                 static_cast<int>(Filter::BloscCodec::zstd)};
/// BLOSC_MAX_TYPESIZE: a larger element is shuffled as bytes.
constexpr std::size_t kMaxWidth = 255;
constexpr FilterParameter kParameters[] = {kLevel, kShuffle, kCodec};

#ifdef ONECAST_HAVE_BLOSC
/// Decodes one Blosc buffer, whose head has the codec, the shuffle and all sizes.
ByteView decode_blosc(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  if (filtered.size() < BLOSC_MIN_HEADER_LENGTH) job.fail("ends early");
  std::size_t size = 0;
  std::size_t compressed = 0;
  std::size_t block = 0;
  blosc_cbuffer_sizes(filtered.data(), &size, &compressed, &block);
  // The library trusts the length in the head, so it must be checked first.
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

/// Like the registered plugin, returns nothing if the result would be larger.
std::optional<ByteView> encode_blosc(const FilterJob& job, ByteView plain, Workspace& workspace) {
  // Two versions, the sizes of an element and of the chunk, then the user's values.
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  if (values.size() < 4 || values[2] == 0)
    job.fail("client data: expected four values or more, the third the size of an element");
  const auto value = [&](const FilterParameter& p) {
    const std::int64_t given = p.position < values.size() ? values[p.position] : p.otherwise;
    return static_cast<int>(std::min<std::int64_t>(given, 256));
  };
  // Blosc divides by some sizes that it later refuses.
  const std::size_t width = values[2] > kMaxWidth ? 1 : values[2];
  const int level = value(kLevel);
  const int shuffle = value(kShuffle);
  const int codec = value(kCodec);
  const char* name = nullptr;
  if (level > kLevel.most) job.fail("client data: a level above 9");
  if (shuffle > kShuffle.most) job.fail("client data: an unknown shuffle");
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
#endif

/// Four values of the plugin, then level, shuffle and codec. Without a codec, the plugin stores
/// none.
ClientData client_data(const FilterSetup& setup) {
  constexpr std::uint32_t kPluginVersion = 2;
  constexpr std::uint32_t kBloscVersion = 2;
  setup.expect_at_most(7);
  const Datatype& type = setup.type();
  const std::size_t width =
      type.type_class() == TypeClass::array ? type.base().size() : type.size();
  ClientData values{kPluginVersion,
                    kBloscVersion,
                    static_cast<std::uint32_t>(width > kMaxWidth ? 1 : width),
                    setup.chunk_bytes(),
                    setup.value(kLevel),
                    setup.value(kShuffle)};
  if (setup.given().size() > kCodec.position) values.push_back(setup.value(kCodec));
  return values;
}

}  // namespace

constinit const OwnFilter kBloscFilter{.id = 32001,
                                       .name = "blosc",
                                       .parameters = kParameters,
                                       .library = "libblosc",
#ifdef ONECAST_HAVE_BLOSC
                                       .decode = decode_blosc,
                                       .encode = encode_blosc,
#endif
                                       .client_data = client_data};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::blosc(BloscCodec codec, std::uint32_t level, BloscShuffle shuffle) {
  // The plugin sets the first four values itself.
  return kBloscFilter.with(
      {0, 0, 0, 0, level, static_cast<std::uint32_t>(shuffle), static_cast<std::uint32_t>(codec)});
}

}  // namespace onecast
