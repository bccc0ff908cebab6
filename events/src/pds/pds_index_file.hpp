#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/byte_file.hpp"
#include "pds/pds_records.hpp"

namespace onecast::events::pds {

/// The file with the places of the events of a PDS file, which is read in pieces. It may be
/// damaged, or belong to another file: no entry leads out of the PDS file, and users compare an
/// entry with the record there.
class IndexFile {
 public:
  /// Returns null if there is no index for a PDS file with such a header and of that size.
  static std::unique_ptr<IndexFile> open(const std::string& path, std::uint64_t header_bytes,
                                         std::uint64_t file_bytes);
  /// Finds the events in one pass, and writes their places: completely or not at all, even if other
  /// processes do so, too. Writes nothing if an event is damaged. Throws Error (io,
  /// invalid_argument).
  static Scanned write(const std::string& path, const ByteFile& file, const Header& header);
  /// True if there is a file that write() has not made.
  static bool is_something_else(const std::string& path);

  [[nodiscard]] const Scanned& found() const { return found_; }
  /// Returns an entry; also reads the entries that follow it, for sequential access. Throws Error
  /// (format).
  const Entry& entry(std::uint64_t number);
  /// Reads this entry alone, unless entry() has read it. Throws Error (format).
  [[nodiscard]] Entry single(std::uint64_t number) const;

 private:
  explicit IndexFile(ByteFile file) : file_(std::move(file)) {}
  /// Throws Error (format).
  [[nodiscard]] std::vector<Entry> read(std::uint64_t first, std::size_t count) const;
  [[nodiscard]] bool has(std::uint64_t number) const {
    return number >= first_ && number - first_ < entries_.size();
  }

  ByteFile file_;
  Scanned found_;
  std::uint64_t begin_ = 0, end_ = 0;  ///< of the records in the PDS file
  std::uint64_t first_ = 0;
  std::vector<Entry> entries_;  ///< from first_ on
};

}  // namespace onecast::events::pds
