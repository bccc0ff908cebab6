#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/byte_file.hpp"
#include "pds/pds_format.hpp"

namespace onecast::events::pds {

/// The place and the start of an event's record.
struct Entry {
  std::uint64_t offset = 0;  ///< of the record
  RecordStart start;

  [[nodiscard]] std::uint64_t end() const { return offset + start.record_bytes(); }
};

/// Reads many small consecutive records at a time, and other records one by one.
class Window {
 public:
  /// @param file outlives it
  explicit Window(const ByteFile& file) : file_(&file) {}
  /// Reads like ByteFile::read.
  std::size_t read(std::uint64_t offset, std::span<std::byte> out);

 private:
  const ByteFile* file_;
  std::uint64_t asked_ = 0;  ///< the last offset requested
  std::uint64_t from_ = 0;
  std::vector<std::byte> bytes_;  ///< of the file, from from_ on
};

/// The result of a pass over the records.
struct Scanned {
  std::uint64_t count = 0;
  /// The bytes of an incomplete record at the end of the file, whose writer was interrupted.
  std::uint64_t incomplete_bytes = 0;
  bool is_ascending = true;  ///< no identity is smaller than the one before it
  /// The damage of the record after the last one found; nothing is known of the records after it.
  std::optional<std::string> damage;
};

/// Passes all records to `take`, up to a damaged one. Throws Error (io).
Scanned scan(const ByteFile& file, const Header& header,
             const std::function<void(const Entry&)>& take);

}  // namespace onecast::events::pds
