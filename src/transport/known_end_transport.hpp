#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "base/namespaces.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast::transport {

/// Tells apart two reasons for a read that ends early. Bytes that were never written are left to
/// the caller, which takes them as zeros. The read fails if the bytes were once in the file, at
/// open or because this process wrote after them, since the file was then truncated.
class KnownEndTransport final : public ForwardingTransport {
 public:
  /// @param path the name in errors
  KnownEndTransport(std::unique_ptr<Transport> inner, std::string path)
      : ForwardingTransport(std::move(inner)), path_(std::move(path)) {}

  /// Notes that the file has at least this number of bytes.
  void know_end(std::uint64_t end);

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  int descriptor() override { return inner().descriptor(); }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void write_parts_at(std::uint64_t offset,
                      std::span<const std::span<const std::byte>> parts) override;

 private:
  std::string path_;
  std::atomic<std::uint64_t> end_ = 0;
};

}  // namespace onecast::transport
