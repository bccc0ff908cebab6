#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <mutex>
#include <utility>
#include <vector>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/file_context.hpp"
#include "base/mutex.hpp"
#include "base/namespaces.hpp"

namespace onecast::structures {

/// The source from which structures read metadata: the page store, a block cache during a walk, or
/// plain memory in tests.
class MetadataSource {
 public:
  MetadataSource() = default;
  MetadataSource(const MetadataSource&) = delete;
  MetadataSource& operator=(const MetadataSource&) = delete;
  virtual ~MetadataSource() = default;

  /// The bytes of [address, address + length), which stay valid as long as the source. Throws Error
  /// (format) naming `what` if they lie outside the file.
  virtual ByteView view(Address address, std::uint64_t length, const char* what) = 0;

  /// Returns at least `length` bytes from `address` on, and as many more as are in memory.
  virtual ByteView view_from(Address address, std::uint64_t length, const char* what) {
    return view(address, length, what);
  }

  /// Notes that this number of bytes is used of those that view_from() returned beyond `length`.
  virtual void note_look(std::uint64_t bytes, Address address, const char* what) {
    static_cast<void>(bytes), static_cast<void>(address), static_cast<void>(what);
  }

  /// True if these bytes are known to be what was written, so that their checksum need not be
  /// verified.
  [[nodiscard]] virtual bool is_verified(Address address, std::uint64_t length) const {
    return static_cast<void>(address), static_cast<void>(length), false;
  }

  [[nodiscard]] virtual const FileContext& file() const = 0;

  /// Keeps bytes that were decoded from those at `address` as long as the source. Any number of
  /// threads may call it. Throws Error (unsupported) for more than a sound file has.
  ByteView keep_decoded(std::vector<std::byte> bytes, Address address, const char* what) {
    constexpr std::uint64_t kMost = std::uint64_t{128} << 20U;
    const std::scoped_lock lock(kept_mutex_);
    if (bytes.size() > kMost - kept_size_)
      ByteReader({}, address, file(), what)
          .refuse("Size", "more than 128 MiB of filtered metadata");
    kept_size_ += bytes.size();
    return kept_.emplace_front(std::move(bytes));
  }

  /// True if keep_decoded() keeps anything.
  [[nodiscard]] bool has_kept() {
    const std::scoped_lock lock(kept_mutex_);
    return kept_size_ != 0;
  }

 private:
  Mutex kept_mutex_;
  std::uint64_t kept_size_ = 0;
  std::forward_list<std::vector<std::byte>> kept_;
};

}  // namespace onecast::structures
