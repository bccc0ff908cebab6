#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "onecast/events/product.hpp"

/// Numbers in files are little-endian.
namespace onecast::events {

static_assert(std::endian::native == std::endian::little, "files are read and written as they are");

template <class T>
T read_number(Bytes bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}
template <class T>
void append_number(std::vector<std::byte>& out, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

inline std::uint32_t read_u32(Bytes bytes) { return read_number<std::uint32_t>(bytes); }
inline std::uint64_t read_u64(Bytes bytes) { return read_number<std::uint64_t>(bytes); }
inline void append_u32(std::vector<std::byte>& out, std::uint32_t value) {
  append_number(out, value);
}
inline void append_u64(std::vector<std::byte>& out, std::uint64_t value) {
  append_number(out, value);
}

}  // namespace onecast::events
