#include "transport/known_end_transport.hpp"

#include <fmt/format.h>

#include "onecast/base/error.hpp"

namespace onecast::transport {

std::size_t KnownEndTransport::read_at(std::uint64_t offset, std::span<std::byte> out) {
  const std::size_t got = ForwardingTransport::read_at(offset, out);
  if (got < out.size() && offset + got < end_)
    throw Error(ErrorCode::io, fmt::format("{}: read at {:#x}: {} of {} bytes are there: the file "
                                           "had {} bytes when it was opened, and was cut since",
                                           path_, offset, got, out.size(), end_));
  return got;
}

}  // namespace onecast::transport
