#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/byte_reader.hpp"
#include "onecast/base/error.hpp"
#include "structures/metadata_source.hpp"

/// What the fuzz programs share: their input as a file, and places in it where structures begin.
namespace onecast::fuzz {

using namespace structures;

using Input = ByteView;

inline Input input(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

/// Runs `action`, which may throw an Error and nothing else.
template <class F>
void expect_errors_only(F&& action) {
  try {
    action();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): all that may come
  }
}

/// The input as the bytes of a file.
class InputSource final : public MetadataSource {
 public:
  explicit InputSource(Input bytes, FileContext file = {"input.h5", 8, 8})
      : bytes_(bytes), file_(std::move(file)) {}

  ByteView view(Address address, std::uint64_t length, const char* what) override {
    if (address.value > bytes_.size() || length > bytes_.size() - address.value)
      throw Error(ErrorCode::format,
                  fmt::format("address {:#x}: {}: outside", address.value, what));
    return bytes_.subspan(static_cast<std::size_t>(address.value),
                          static_cast<std::size_t>(length));
  }
  [[nodiscard]] const FileContext& file() const override { return file_; }

 private:
  Input bytes_;
  FileContext file_;
};

/// Calls `each(Address)` for the places where a signature stands, a few of them.
template <class F>
void for_each_place(Input bytes, std::string_view signature, F&& each) {
  constexpr int kMostPlaces = 4;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  int count = 0;
  for (std::size_t at = text.find(signature); at != std::string_view::npos && count < kMostPlaces;
       at = text.find(signature, at + 1), ++count)
    each(Address{at});
}

/// Calls `each(Address)` where an object header of version 1 or 2 may begin.
template <class F>
void for_each_header(Input bytes, F&& each) {
  for_each_place(bytes, "OHDR", each);
  // Version 1 has no signature: the version, a zero, the number of messages, one reference.
  constexpr std::string_view kOneReference("\x01\0\0\0", 4);
  for_each_place(bytes, kOneReference, [&](Address at) {
    if (at.value >= 4 && bytes[static_cast<std::size_t>(at.value) - 4] == std::byte{1})
      each(Address{at.value - 4});
  });
}

}  // namespace onecast::fuzz

/// The entry point of a fuzz program: FUZZ_TARGET(bytes) { ... }
#define FUZZ_TARGET(bytes)                                                      \
  static void fuzz_target(onecast::fuzz::Input bytes);                          \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* d, std::size_t n) { \
    fuzz_target(onecast::fuzz::input(d, n));                                    \
    return 0;                                                                   \
  }                                                                             \
  static void fuzz_target(onecast::fuzz::Input bytes)
