#pragma once

#include <memory>
#include <utility>

#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// Forwards all calls; the base of transports that change some of them. write_parts_at becomes a
/// write_at, so an override of write_at changes both. There is no descriptor(): a transport that
/// changes nothing of the bytes forwards it by itself.
class ForwardingTransport : public Transport {
 public:
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    return inner_.read_at(offset, out);
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    inner_.write_at(offset, bytes);
  }
  void reserve(std::uint64_t offset, std::uint64_t size) override { inner_.reserve(offset, size); }
  void give_back(std::uint64_t offset, std::uint64_t size) override {
    inner_.give_back(offset, size);
  }
  bool take_lack_of_room() override { return inner_.take_lack_of_room(); }
  void sync() override { inner_.sync(); }
  bool is_open() override { return inner_.is_open(); }
  std::uint64_t size() override { return inner_.size(); }
  void lock(LockKind kind) override { inner_.lock(kind); }
  void sync_name() override { inner_.sync_name(); }
  FileIdentity identity() override { return inner_.identity(); }
  FileStamp stamp() override { return inner_.stamp(); }
  void take_place() override { inner_.take_place(); }
  void moved_to(const std::string& path) override { inner_.moved_to(path); }
  std::string resolved_path() override { return inner_.resolved_path(); }
  void remove() override { inner_.remove(); }

 protected:
  explicit ForwardingTransport(std::unique_ptr<Transport> inner)
      : owned_(std::move(inner)), inner_(*owned_) {}
  /// `inner` must outlive it.
  explicit ForwardingTransport(Transport& inner) : inner_(inner) {}

  [[nodiscard]] Transport& inner() { return inner_; }

 private:
  std::unique_ptr<Transport> owned_;
  Transport& inner_;
};

}  // namespace onecast::transport
