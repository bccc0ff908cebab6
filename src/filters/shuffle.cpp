#include <algorithm>

#include "filters/byte_planes.hpp"
#include "filters/own_filter.hpp"

namespace onecast::filters {
namespace {

/// Shuffles or unshuffles: `rearrange` copies the bytes of `count` elements of a width.
template <class F>
ByteView rearranged(const FilterJob& job, ByteView bytes, Workspace& workspace, F&& rearrange) {
  if (job.spec.client_data.size() != 1 || job.spec.client_data[0] == 0)
    job.fail("client data: expected one value, the size of an element, not zero");
  const std::size_t width = job.spec.client_data[0];
  const std::size_t count = bytes.size() / width;
  if (width == 1 || count <= 1) return bytes;

  const std::span<std::byte> out = workspace.result(job.claimed_size(bytes.size()));
  rearrange(bytes.data(), out.data(), count, width);
  // An incomplete last element is stored unchanged.
  const ByteView rest = bytes.subspan(count * width);
  std::copy(rest.begin(), rest.end(), out.end() - static_cast<std::ptrdiff_t>(rest.size()));
  return out;
}

ByteView decode_shuffle(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  return rearranged(job, filtered, workspace, join_byte_planes);
}

std::optional<ByteView> encode_shuffle(const FilterJob& job, ByteView plain, Workspace& workspace) {
  return rearranged(job, plain, workspace, split_byte_planes);
}

/// Like the HDF5 library, ignores given values and stores the size of an element.
ClientData client_data(const FilterSetup& setup) { return {setup.element_bytes()}; }

}  // namespace

constinit const OwnFilter kShuffleFilter{.id = 2,
                                         .name = "shuffle",
                                         .decode = decode_shuffle,
                                         .encode = encode_shuffle,
                                         .max_filtered_size = same_size,
                                         .client_data = client_data,
                                         .asked = kNothingAsked};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::shuffle() { return kShuffleFilter.with({}); }

}  // namespace onecast
