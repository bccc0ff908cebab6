#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "base/namespaces.hpp"
#include "onecast/transport/io_stats.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast::transport {

/// Counts calls, including failed ones. Calls with no bytes reach no file and are not counted.
/// Notes calls that found no room.
class CountingTransport final : public ForwardingTransport {
 public:
  CountingTransport(std::unique_ptr<Transport> inner, IoStats& stats)
      : ForwardingTransport(std::move(inner)), stats_(stats) {}

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void write_parts_at(std::uint64_t offset,
                      std::span<const std::span<const std::byte>> parts) override;
  void reserve(std::uint64_t offset, std::uint64_t size) override;
  int descriptor() override { return inner().descriptor(); }
  bool take_lack_of_room() override { return lacks_room_.exchange(false); }
  void sync() override;
  void sync_name() override;

 private:
  /// Makes a call that may find no room.
  template <class Call>
  void watch(Call&& call);

  IoStats& stats_;
  std::atomic<bool> lacks_room_ = false;
};

}  // namespace onecast::transport
