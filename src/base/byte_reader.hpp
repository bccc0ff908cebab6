#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/address.hpp"
#include "base/file_context.hpp"

namespace onecast {

/// A view of bytes that must outlive it; a record that was decoded from a page refers to the page.
using ByteView = std::span<const std::byte>;

/// Reads little-endian values from bytes in memory, and never outside of its window. Every error
/// names the file, the address and the field.
class ByteReader {
 public:
  ByteReader(ByteView window, Address where, const FileContext& file, const char* record = "")
      : window_(window), where_(where), file_(&file), record_(record) {}

  [[nodiscard]] std::size_t remaining() const { return window_.size() - position_; }
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] Address address() const { return where_ + position_; }
  [[nodiscard]] const FileContext& file() const { return *file_; }
  [[nodiscard]] ByteView window() const { return window_; }
  [[nodiscard]] const char* record() const { return record_; }
  void set_record(const char* record) { record_ = record; }

  /// An unsigned integer of 1 to 8 bytes.
  std::uint64_t uint(std::size_t width, const char* field) {
    // The most common width that the compiler does not know.
    if (width == 8) return uint<8>(field);
    const ByteView b = bytes(width, field);
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;)
      value = value << 8U | std::to_integer<std::uint64_t>(b[i]);
    return value;
  }
  template <std::size_t kWidth>
  std::uint64_t uint(const char* field) {
    return little_endian<kWidth>(bytes(kWidth, field).data());
  }

  ByteView bytes(std::uint64_t count, const char* field) {
    if (count > remaining()) fail_short(field, count);
    const ByteView b = window_.subspan(position_, static_cast<std::size_t>(count));
    position_ += static_cast<std::size_t>(count);
    return b;
  }

  /// The bytes before the next NUL, which is skipped.
  std::string_view c_string(const char* field);

  void seek(std::size_t position, const char* field);

  /// A reader of the next `count` bytes, which this reader skips.
  ByteReader sub(std::uint64_t count, const char* field) {
    const Address at = address();
    return {bytes(count, field), at, *file_, record_};
  }

  /// Throws if `count` items of at least `min_size` bytes cannot fit into the rest, so that a false
  /// count never leads to an allocation.
  void expect_room(std::uint64_t count, std::uint64_t min_size, const char* field) const;

  /// Throws ErrorCode::format, naming file, address, record and field.
  [[noreturn]] void fail(const char* field, std::string_view what) const;

  /// Throws ErrorCode::unsupported, naming the feature.
  [[noreturn]] void refuse(const char* field, std::string_view feature) const;

 private:
  template <std::size_t kWidth>
  static std::uint64_t little_endian(const std::byte* p) {
    std::uint64_t value = 0;
    std::memcpy(&value, p, kWidth);
    if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
    return value;
  }
  [[noreturn]] void fail_short(const char* field, std::uint64_t wanted) const;

  ByteView window_;
  std::size_t position_ = 0;
  Address where_;
  const FileContext* file_;
  const char* record_;
};

}  // namespace onecast
