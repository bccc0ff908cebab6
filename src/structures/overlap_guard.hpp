#pragma once

#include <atomic>
#include <cstdint>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// Adds up the bytes that are viewed while structures are decoded, each of them once. In a sound
/// file every byte belongs to one structure, so the sum stays near the file's size. If it does not,
/// structures share bytes, and decoding could take time and memory out of all proportion to the
/// file.
class OverlapGuard final : public MetadataSource {
 public:
  /// `file_size` may grow. It must outlive the guard.
  OverlapGuard(MetadataSource& inner, const std::uint64_t& file_size)
      : inner_(inner), file_(inner.file()), file_size_(file_size) {}
  OverlapGuard(MetadataSource& inner, const std::uint64_t&& file_size) = delete;

  ByteView view(Address address, std::uint64_t length, const char* what) override {
    const ByteView bytes = inner_.view(address, length, what);
    count(length, address, what);
    return bytes;
  }
  ByteView view_from(Address address, std::uint64_t length, const char* what) override {
    const ByteView bytes = inner_.view_from(address, length, what);
    count(length, address, what);
    return bytes;
  }
  void note_look(std::uint64_t bytes, Address address, const char* what) override {
    count(bytes, address, what);
  }
  [[nodiscard]] bool is_verified(Address address, std::uint64_t length) const override {
    return inner_.is_verified(address, length);
  }
  [[nodiscard]] const FileContext& file() const override { return file_; }

  /// Restarts the count when decoded structures were dropped, so that all of them may be viewed
  /// again.
  void begin_again() { seen_.store(0, std::memory_order_relaxed); }
  /// Also counts bytes inside viewed ones, such as a message in a heap. Throws Error (format) if
  /// there are too many.
  void count(std::uint64_t bytes, Address address, const char* what) {
    // A record is viewed up to three times, and small files are harmless.
    constexpr std::uint64_t kTimes = 8;
    constexpr std::uint64_t kFree = std::uint64_t{1} << 20U;
    // Threads may miss each other's bytes, so the limit is not exact.
    const std::uint64_t seen = seen_.load(std::memory_order_relaxed) + bytes;
    seen_.store(seen, std::memory_order_relaxed);
    if (seen > kTimes * file_size_ + kFree)
      ByteReader({}, address, file(), what)
          .fail("Address", "too many structures share their bytes");
  }

 private:
  MetadataSource& inner_;
  const FileContext& file_;
  const std::uint64_t& file_size_;
  std::atomic<std::uint64_t> seen_{0};
};

}  // namespace onecast::structures
