#pragma once

#include <cstdint>
#include <string_view>

#include "base/namespaces.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// Reads a local heap: the names (and soft link values) of an old-style group.
class LocalHeap {
 public:
  LocalHeap(MetadataSource& source, Address header);

  /// The NUL-terminated text at `offset` of the data segment. `what` names the field with the
  /// offset.
  [[nodiscard]] std::string_view text(std::uint64_t offset, const char* what) const;

  [[nodiscard]] Address data_segment() const { return data_address_; }
  [[nodiscard]] ByteView data() const { return data_; }

 private:
  const FileContext* file_;
  Address data_address_;
  ByteView data_;
};

}  // namespace onecast::structures
