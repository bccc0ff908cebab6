#include "objects/elements/stored_elements.hpp"

#include "objects/elements/raw_data.hpp"

namespace onecast::elements {

void ElementTarget::fill(std::uint64_t count, ByteView value, std::size_t size) const {
  if (is_direct())
    return elements::fill(bytes_.first(static_cast<std::size_t>(count) * size), value);
  const std::uint64_t most = std::max<std::uint64_t>(1, kConvertedAtOnce / size);
  Buffer some(static_cast<std::size_t>(std::min(count, most)) * size);
  elements::fill(some.span(), value);
  for (std::uint64_t done = 0; done < count; done += most)
    take(done, some.span().first(static_cast<std::size_t>(std::min(most, count - done)) * size),
         size);
}

}  // namespace onecast::elements
