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

/// Where the record of an event is, and how it begins.
struct Entry {
  std::uint64_t offset = 0;  ///< of the record
  RecordStart start;

  [[nodiscard]] std::uint64_t end() const { return offset + start.record_bytes(); }
};

/// Reads small records that lie one behind the other many at a time, and others as they are.
class Window {
 public:
  /// @param file outlives it
  explicit Window(const ByteFile& file) : file_(&file) {}
  /// As ByteFile::read.
  std::size_t read(std::uint64_t offset, std::span<std::byte> out);

 private:
  const ByteFile* file_;
  std::uint64_t asked_ = 0;  ///< the last offset
  std::uint64_t from_ = 0;
  std::vector<std::byte> bytes_;  ///< of the file, from there on
};

/// What a pass over the records has found.
struct Scanned {
  std::uint64_t count = 0;
  /// Bytes of an incomplete record at the end of the file: its writer was interrupted.
  std::uint64_t incomplete_bytes = 0;
  bool is_ascending = true;  ///< no identity is smaller than the one before it
  /// What is wrong with the record behind the last one: nothing is known of those that follow it.
  std::optional<std::string> damage;
};

/// Gives all records to `take`, up to one that is damaged. Throws Error (io).
Scanned scan(const ByteFile& file, const Header& header,
             const std::function<void(const Entry&)>& take);

}  // namespace onecast::events::pds
