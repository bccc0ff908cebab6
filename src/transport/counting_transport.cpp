#include "transport/counting_transport.hpp"

namespace onecast {

std::size_t CountingTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  if (out.empty()) return 0;
  ++stats_.reads;
  const std::size_t got = inner_->read_at(offset, out);
  stats_.bytes_read += got;
  return got;
}

void CountingTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!bytes.empty()) ++stats_.writes;
  inner_->write_at(offset, bytes);
  stats_.bytes_written += bytes.size();
}

void CountingTransport::sync() {
  ++stats_.syncs;
  inner_->sync();
}

}  // namespace onecast
