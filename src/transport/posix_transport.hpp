#pragma once

#include <memory>
#include <string>

#include "transport/transport.hpp"

namespace onecast {

/// A regular file of the operating system, by pread and pwrite.
class PosixTransport final : public Transport {
 public:
  /// As TransportFactory.
  PosixTransport(std::string path, OpenMode mode);
  ~PosixTransport() override;

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void sync() override;
  std::uint64_t size() override;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace onecast
