#pragma once

#include <memory>
#include <utility>

#include "onecast/transport/io_stats.hpp"
#include "transport/transport.hpp"

namespace onecast {

/// Counts what passes, failed calls included; calls for no bytes reach no file and do not count.
class CountingTransport final : public Transport {
 public:
  CountingTransport(std::unique_ptr<Transport> inner, IoStats& stats)
      : inner_(std::move(inner)), stats_(stats) {}

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void sync() override;
  std::uint64_t size() override { return inner_->size(); }
  void lock(LockKind kind) override { inner_->lock(kind); }
  void sync_name() override;
  void remove() override { inner_->remove(); }

 private:
  std::unique_ptr<Transport> inner_;
  IoStats& stats_;
};

}  // namespace onecast
