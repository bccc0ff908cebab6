#include "transport/known_end_transport.hpp"

#include <fmt/format.h>

#include "base/make_error.hpp"

namespace onecast::transport {

std::size_t KnownEndTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  const std::size_t got = ForwardingTransport::read_at(offset, out);
  const std::uint64_t end = end_;
  if (got < out.size() && offset + got < end)
    throw Error(ErrorCode::io,
                fmt::format("{}: read at {:#x}: {} of {} bytes are there: the file had {} bytes, "
                            "and was cut since it was opened",
                            path_, offset, got, out.size(), end));
  return got;
}

void KnownEndTransport::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  ForwardingTransport::write_at(offset, bytes);
  if (!bytes.empty()) know_end(offset + bytes.size());
}

void KnownEndTransport::write_parts_at(std::uint64_t offset,
                                       std::span<const std::span<const std::byte>> parts) {
  inner().write_parts_at(offset, parts);
  std::uint64_t end = offset;
  for (const auto part : parts) end += part.size();
  if (end != offset) know_end(end);
}

void KnownEndTransport::know_end(std::uint64_t end) {
  std::uint64_t known = end_;
  while (known < end && !end_.compare_exchange_weak(known, end)) {
  }
}

}  // namespace onecast::transport
