#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string_view>
#include <vector>

#include "format/record.hpp"

namespace onecast::format {

/// Returns the bytes of a string literal, which live as long as the program.
template <std::size_t N>
ByteView literal_bytes(const char (&text)[N]) {
  return std::as_bytes(std::span(text, N - 1));
}

/// Returns bytes from hexadecimal digits. Blanks between them do not count.
inline std::vector<std::byte> from_hex(std::string_view digits) {
  std::vector<std::byte> bytes;
  unsigned high = 16;
  for (const char c : digits) {
    if (c == ' ' || c == '\n') continue;
    const unsigned digit = static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
    if (high == 16) {
      high = digit;
    } else {
      bytes.push_back(static_cast<std::byte>(high << 4U | digit));
      high = 16;
    }
  }
  return bytes;
}

template <class R>
std::vector<std::byte> encoded(const FileContext& file, const R& value) {
  std::vector<std::byte> bytes(encoded_size(file, value));
  ByteWriter out(bytes);
  encode(out, file, value);
  EXPECT_EQ(out.remaining(), 0U) << R::kTitle << ": encoded_size and encode differ";
  return bytes;
}

}  // namespace onecast::format
