#include "transport/transport.hpp"

#include <vector>

namespace onecast::transport {

void Transport::write_parts_at(std::uint64_t offset,
                               std::span<const std::span<const std::byte>> parts) {
  if (parts.size() == 1) return write_at(offset, parts.front());
  std::vector<std::byte> joined;
  for (const auto part : parts) joined.insert(joined.end(), part.begin(), part.end());
  write_at(offset, joined);
}

}  // namespace onecast::transport
