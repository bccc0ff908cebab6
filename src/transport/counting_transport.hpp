#pragma once

#include <memory>
#include <utility>

#include "onecast/transport/io_stats.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast {

/// Counts what passes, failed calls included; calls for no bytes reach no file and do not count.
class CountingTransport final : public ForwardingTransport {
 public:
  CountingTransport(std::unique_ptr<Transport> inner, IoStats& stats)
      : ForwardingTransport(std::move(inner)), stats_(stats) {}

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void sync() override;
  void sync_name() override;

 private:
  IoStats& stats_;
};

}  // namespace onecast
