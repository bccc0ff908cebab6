#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "transport/factory.hpp"
#include "transport/forwarding_transport.hpp"

namespace onecast::test {

using namespace transport;

/// Makes reads and writes wait while it is closed.
class Gate {
 public:
  void close() { set(false); }
  void open() { set(true); }
  void pass() {
    std::unique_lock lock(mutex_);
    ++came_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return open_; });
  }
  /// Waits until this many calls have come since the gate was made.
  void await(std::uint64_t many) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return came_ >= many; });
  }
  [[nodiscard]] std::uint64_t came() {
    const std::scoped_lock lock(mutex_);
    return came_;
  }

 private:
  void set(bool open) {
    const std::scoped_lock lock(mutex_);
    open_ = open;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t came_ = 0;
  bool open_ = true;
};

class GateTransport final : public ForwardingTransport {
 public:
  GateTransport(std::unique_ptr<Transport> inner, std::shared_ptr<Gate> gate)
      : ForwardingTransport(std::move(inner)), gate_(std::move(gate)) {}

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    gate_->pass();
    return ForwardingTransport::read_at(offset, out);
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    gate_->pass();
    ForwardingTransport::write_at(offset, bytes);
  }

 private:
  std::shared_ptr<Gate> gate_;
};

inline TransportFactory gate_factory(TransportFactory inner, std::shared_ptr<Gate> gate) {
  return
      [inner = std::move(inner), gate = std::move(gate)](const std::string& path, OpenMode mode) {
        return std::make_unique<GateTransport>(inner(path, mode), gate);
      };
}

}  // namespace onecast::test
