#include "transport/counting_transport.hpp"

#include "transport/counted_call.hpp"
#include "transport/system_error.hpp"

namespace onecast::transport {

template <class Call>
void CountingTransport::watch(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    if (is_lack_of_room(error)) lacks_room_ = true;
    throw;
  }
}

std::size_t CountingTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  if (out.empty()) return 0;
  const CountedCall call(stats_, &IoStats::reads);
  const std::size_t got = ForwardingTransport::read_at(offset, out);
  call.add(&IoStats::bytes_read, got);
  return got;
}

void CountingTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return watch([&] { ForwardingTransport::write_at(offset, bytes); });
  const CountedCall call(stats_, &IoStats::writes);
  watch([&] { ForwardingTransport::write_at(offset, bytes); });
  call.add(&IoStats::bytes_written, bytes.size());
}

void CountingTransport::write_parts_at(std::uint64_t offset,
                                       std::span<const std::span<const std::byte>> parts) {
  std::uint64_t size = 0;
  for (const auto part : parts) size += part.size();
  if (size == 0) return watch([&] { inner().write_parts_at(offset, parts); });
  const CountedCall call(stats_, &IoStats::writes);
  watch([&] { inner().write_parts_at(offset, parts); });
  call.add(&IoStats::bytes_written, size);
}

void CountingTransport::reserve(std::uint64_t offset, std::uint64_t size) {
  watch([&] { ForwardingTransport::reserve(offset, size); });
}

void CountingTransport::sync() {
  const CountedCall call(stats_, &IoStats::syncs);
  ForwardingTransport::sync();
}

void CountingTransport::sync_name() {
  const CountedCall call(stats_, &IoStats::syncs);
  ForwardingTransport::sync_name();
}

}  // namespace onecast::transport
