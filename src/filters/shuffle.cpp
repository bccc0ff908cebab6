#include <algorithm>
#include <type_traits>

#include "filters/filter.hpp"

namespace onecast {
namespace {

/// Byte b of element i lies at b * count + i. A few elements at a time, so that what is written
/// stays in the cache; with a constant `width` the compiler knows the strides.
template <typename Width>
void gather(const std::byte* in, std::byte* out, std::size_t count, Width width) {
  constexpr std::size_t kBlock = 128;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t end = std::min(count, first + kBlock);
    for (std::size_t b = 0; b < width; ++b)
      for (std::size_t i = first; i < end; ++i) out[i * width + b] = in[b * count + i];
  }
}

template <std::size_t N>
using Constant = std::integral_constant<std::size_t, N>;

}  // namespace

Bytes decode_shuffle(const FilterJob& job, Bytes&& filtered) {
  if (job.spec.client_data.size() != 1 || job.spec.client_data[0] == 0)
    job.fail("client data: expected one value, the size of an element, not zero");
  const std::size_t width = job.spec.client_data[0];
  const std::size_t count = filtered.size() / width;
  if (width == 1 || count <= 1) return std::move(filtered);

  Bytes out(filtered.size());
  switch (width) {
    case 2:
      gather(filtered.data(), out.data(), count, Constant<2>{});
      break;
    case 4:
      gather(filtered.data(), out.data(), count, Constant<4>{});
      break;
    case 8:
      gather(filtered.data(), out.data(), count, Constant<8>{});
      break;
    default:
      gather(filtered.data(), out.data(), count, width);
  }
  // What is left of a last element lies as it was.
  const auto whole = static_cast<std::ptrdiff_t>(count * width);
  std::copy(filtered.begin() + whole, filtered.end(), out.begin() + whole);
  return out;
}

}  // namespace onecast
