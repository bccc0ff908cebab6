#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// Opens the inner transport at the first call that accesses the file. A failed open is tried again
/// at the next call.
class LazyTransport final : public Transport {
 public:
  using Open = std::function<std::unique_ptr<Transport>()>;

  explicit LazyTransport(Open open) : open_(std::move(open)) {}

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void write_parts_at(std::uint64_t offset,
                      std::span<const std::span<const std::byte>> parts) override {
    inner().write_parts_at(offset, parts);
  }
  void reserve(std::uint64_t offset, std::uint64_t size) override { inner().reserve(offset, size); }
  void give_back(std::uint64_t offset, std::uint64_t size) override {
    inner().give_back(offset, size);
  }
  bool take_lack_of_room() override;
  /// Does nothing if the file is not open yet, since nothing was written.
  void sync() override;
  bool is_open() override;
  std::uint64_t size() override { return inner().size(); }
  void lock(LockKind kind) override { inner().lock(kind); }
  void sync_name() override;
  int descriptor() override { return inner().descriptor(); }
  FileIdentity identity() override { return inner().identity(); }
  FileStamp stamp() override { return inner().stamp(); }
  void take_place() override { inner().take_place(); }
  void moved_to(const std::string& path) override { inner().moved_to(path); }
  std::string resolved_path() override { return inner().resolved_path(); }
  void remove() override { inner().remove(); }

 private:
  Transport& inner();

  Open open_;
  Mutex mutex_;
  std::unique_ptr<Transport> inner_;
  std::atomic<Transport*> opened_ = nullptr;  ///< inner_, for a look without the lock
};

}  // namespace onecast::transport
