#pragma once

#include <cstdint>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/file_context.hpp"

namespace onecast {

/// Where structures read metadata from: the page store, a block cache during a walk, or plain
/// memory in tests.
class MetadataSource {
 public:
  MetadataSource() = default;
  MetadataSource(const MetadataSource&) = delete;
  MetadataSource& operator=(const MetadataSource&) = delete;
  virtual ~MetadataSource() = default;

  /// The bytes of [address, address + length), which stay where they are as long as the source
  /// lives. Throws Error (format) naming `what` if they lie outside the file.
  virtual ByteView view(Address address, std::uint64_t length, const char* what) = 0;

  [[nodiscard]] virtual const FileContext& file() const = 0;
};

}  // namespace onecast
