#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "onecast/capi/random_access_file.h"
#include "onecast/transport/random_access_file.hpp"

namespace onecast::test {

/// A memory buffer of a program. It uses only Onecast's public interface. Any number of threads may
/// use it.
class MemoryBytes final : public RandomAccessFile {
 public:
  explicit MemoryBytes(std::string name = "<a buffer>",
                       std::shared_ptr<RandomAccessFile> journal = nullptr)
      : name_(std::move(name)), journal_(std::move(journal)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  /// Reads at most 1000 bytes at once.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    const std::scoped_lock lock(mutex_);
    ++calls;
    if (fails_from_read_ == 0) throw std::runtime_error("the line is dead");
    if (fails_from_read_ > 0) --fails_from_read_;
    if (offset >= bytes_.size()) return 0;
    const std::size_t count =
        std::min({out.size(), bytes_.size() - static_cast<std::size_t>(offset), std::size_t{1000}});
    std::memcpy(out.data(), bytes_.data() + offset, count);
    return count;
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const std::scoped_lock lock(mutex_);
    ++calls;
    if (fails_from_write_ == 0) throw std::runtime_error("the store is full");
    if (fails_from_write_ > 0) --fails_from_write_;
    const auto end = static_cast<std::size_t>(offset) + bytes.size();
    if (end > bytes_.size()) bytes_.resize(end);
    std::memcpy(bytes_.data() + offset, bytes.data(), bytes.size());
  }
  std::uint64_t size() override {
    const std::scoped_lock lock(mutex_);
    ++calls;
    return bytes_.size();
  }
  void truncate(std::uint64_t size) override {
    const std::scoped_lock lock(mutex_);
    ++calls;
    bytes_.resize(static_cast<std::size_t>(size));
  }
  void sync() override { ++syncs; }
  std::shared_ptr<RandomAccessFile> journal() override { return journal_; }

  /// Makes all calls throw after this many have succeeded. Below 0, none throws.
  void fail_reads_after(long calls_left) { fails_from_read_ = calls_left; }
  void fail_writes_after(long calls_left) { fails_from_write_ = calls_left; }
  [[nodiscard]] std::vector<std::byte> bytes() const {
    const std::scoped_lock lock(mutex_);
    return bytes_;
  }
  void set_bytes(std::vector<std::byte> bytes) {
    const std::scoped_lock lock(mutex_);
    bytes_ = std::move(bytes);
  }

  int calls = 0;
  int syncs = 0;

 private:
  std::string name_;
  std::shared_ptr<RandomAccessFile> journal_;
  mutable std::mutex mutex_;
  std::vector<std::byte> bytes_;
  long fails_from_read_ = -1;
  long fails_from_write_ = -1;
};

/// Returns C functions that use a buffer. Errors become EIO or ENOSPC. `bytes` must outlive the
/// result.
inline onecast_random_access_file functions_of_c(MemoryBytes& bytes, const char* name) {
  onecast_random_access_file functions = {};
  functions.size = sizeof functions;
  functions.context = &bytes;
  functions.name = name;
  functions.read_at = [](void* context, uint64_t offset, void* out, size_t size, size_t* got) {
    try {
      *got =
          static_cast<MemoryBytes*>(context)->read_at(offset, {static_cast<std::byte*>(out), size});
      return 0;
    } catch (const std::exception&) {
      return EIO;
    }
  };
  functions.write_at = [](void* context, uint64_t offset, const void* from, size_t size) {
    try {
      static_cast<MemoryBytes*>(context)->write_at(offset,
                                                   {static_cast<const std::byte*>(from), size});
      return 0;
    } catch (const std::exception&) {
      return ENOSPC;
    }
  };
  functions.get_size = [](void* context, uint64_t* size) {
    *size = static_cast<MemoryBytes*>(context)->size();
    return 0;
  };
  functions.truncate = [](void* context, uint64_t size) {
    static_cast<MemoryBytes*>(context)->truncate(size);
    return 0;
  };
  functions.sync = [](void* context) {
    static_cast<MemoryBytes*>(context)->sync();
    return 0;
  };
  return functions;
}

}  // namespace onecast::test
