#include "types/string_padding.hpp"

#include <cstring>

namespace onecast::types {

std::size_t unpadded_size(ByteView value, StringPadding padding) {
  std::size_t size = value.size();
  if (padding == StringPadding::null_terminated) {
    const void* end = std::memchr(value.data(), 0, size);
    return end == nullptr
               ? size
               : static_cast<std::size_t>(static_cast<const std::byte*>(end) - value.data());
  }
  const std::byte pad = padding == StringPadding::null_padded ? std::byte{0} : std::byte{' '};
  while (size > 0 && value[size - 1] == pad) --size;
  return size;
}

std::string unpad(ByteView value, StringPadding padding) {
  return {reinterpret_cast<const char*>(value.data()), unpadded_size(value, padding)};
}

}  // namespace onecast::types
