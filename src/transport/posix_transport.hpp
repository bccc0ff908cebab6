#pragma once

#include <string>

#include "base/namespaces.hpp"
#include "transport/file_lock.hpp"
#include "transport/path_rules.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// A regular file of the operating system, accessed by pread and pwrite.
class PosixTransport final : public Transport {
 public:
  /// Like TransportFactory, but without OpenMode::replace.
  PosixTransport(std::string path, OpenMode mode);
  ~PosixTransport() override;

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void write_parts_at(std::uint64_t offset,
                      std::span<const std::span<const std::byte>> parts) override;
  void reserve(std::uint64_t offset, std::uint64_t size) override;
  void give_back(std::uint64_t offset, std::uint64_t size) override;
  void sync() override;
  std::uint64_t size() override;
  void lock(LockKind kind) override { lock_.take(descriptor_, path_, kind); }
  void sync_name() override { sync_folder_of(path_); }
  int descriptor() override { return descriptor_; }
  FileIdentity identity() override { return identity_; }
  FileStamp stamp() override;
  void moved_to(const std::string& path) override { path_ = path; }
  std::string resolved_path() override;
  void remove() override { remove_name(path_); }

 private:
  void open_temporary();

  std::string path_;
  int descriptor_ = -1;
  FileIdentity identity_;
  FileLock lock_;
};

}  // namespace onecast::transport
