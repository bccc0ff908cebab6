#pragma once

#include <algorithm>
#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "Shared Message Record List": an index of shared messages that is not a B-tree. Its records stay
/// encoded. Room for more follows the checksum.
struct SharedMessageList {
  static constexpr const char* kTitle = "Shared Message Record List";

  std::uint64_t records_size = 0;  ///< context: in bytes
  ByteView records;

  /// The size of one record: that of the larger of both kinds.
  static std::uint64_t record_size(const FileContext& file) {
    return 5 + std::max<std::uint64_t>(12, 4U + file.size_of_offsets);
  }
  static std::uint64_t size(const FileContext& file, std::uint64_t record_count) {
    return 8 + record_count * record_size(file);
  }
  [[nodiscard]] SharedMessageList context() const {
    SharedMessageList list;
    list.records_size = records_size;
    return list;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "SMLI");
    v.view("Shared Message Records", s.records, s.records_size);
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
