#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "transport/factory.hpp"

namespace onecast::test {

using namespace transport;

/// One file in memory; shared by the transports that opened it.
struct MemoryFile {
  Mutex mutex;
  std::vector<std::byte> bytes;
};

/// Named files in memory; held by a shared_ptr.
class MemoryDisk : public std::enable_shared_from_this<MemoryDisk> {
 public:
  /// Like TransportFactory.
  std::unique_ptr<Transport> open(const std::string& path, OpenMode mode);

  /// The file, or null.
  std::shared_ptr<MemoryFile> find(const std::string& path);
  /// The names of all files.
  std::vector<std::string> names();
  /// Unlinks the file.
  void remove(const std::string& path);
  /// An existing file stays readable for transports that have it open, like an unlinked one.
  void replace(const std::string& path, std::shared_ptr<MemoryFile> file);

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<MemoryFile>> files_;
};

/// Bytes in memory that grow as they are written; gaps read as zeros.
class MemoryTransport final : public Transport {
 public:
  MemoryTransport(std::string name, std::shared_ptr<MemoryDisk> disk,
                  std::shared_ptr<MemoryFile> file, bool writable);

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void give_back(std::uint64_t offset, std::uint64_t size) override;
  void sync() override {}
  std::uint64_t size() override;
  /// Always succeeds, since no other process sees the file.
  void lock(LockKind /*kind*/) override {}
  void sync_name() override {}
  void take_place() override { disk_->replace(name_, file_); }
  void remove() override { disk_->remove(name_); }

 private:
  std::string name_;
  std::shared_ptr<MemoryDisk> disk_;
  std::shared_ptr<MemoryFile> file_;
  bool writable_;
};

/// Opens files of `disk`, and shares its ownership.
TransportFactory memory_factory(std::shared_ptr<MemoryDisk> disk);

}  // namespace onecast::test
