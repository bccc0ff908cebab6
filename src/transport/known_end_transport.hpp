#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "base/namespaces.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast::transport {

/// A read that ends early finds what nobody wrote yet: its caller takes that as zeros. It fails
/// where the bytes were in the file once, at the opening or because this process wrote behind them,
/// since somebody has cut it.
class KnownEndTransport final : public ForwardingTransport {
 public:
  /// @param path for errors
  KnownEndTransport(std::unique_ptr<Transport> inner, std::string path)
      : ForwardingTransport(std::move(inner)), path_(std::move(path)) {}

  /// The file has so many bytes, or more.
  void know_end(std::uint64_t end);

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void write_parts_at(std::uint64_t offset,
                      std::span<const std::span<const std::byte>> parts) override;

 private:
  std::string path_;
  std::atomic<std::uint64_t> end_ = 0;
};

}  // namespace onecast::transport
