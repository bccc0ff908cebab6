#include <algorithm>

#include "filters/byte_planes.hpp"
#include "filters/filter.hpp"

namespace onecast {

ByteView decode_shuffle(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  if (job.spec.client_data.size() != 1 || job.spec.client_data[0] == 0)
    job.fail("client data: expected one value, the size of an element, not zero");
  const std::size_t width = job.spec.client_data[0];
  const std::size_t count = filtered.size() / width;
  if (width == 1 || count <= 1) return filtered;

  const std::span<std::byte> out = workspace.result(job.claimed_size(filtered.size()));
  join_byte_planes(filtered.data(), out.data(), count, width);
  // What is left of a last element lies as it was.
  const ByteView rest = filtered.subspan(count * width);
  std::copy(rest.begin(), rest.end(), out.end() - static_cast<std::ptrdiff_t>(rest.size()));
  return out;
}

}  // namespace onecast
