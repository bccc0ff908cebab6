#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/byte_file.hpp"
#include "pds/pds_format.hpp"

namespace onecast::events::pds {

/// Where the events of a PDS file lie: found in one pass over the records, and kept in a file
/// beside it (FILE.index), as long as that fits the PDS file.
class Index {
 public:
  struct Entry {
    std::uint64_t offset = 0;  ///< of the record
    RecordStart start;
  };

  /// Reads the index beside the file, or makes one and writes it there; if that cannot be written,
  /// it is made at each opening. Throws Error (format) for records that are damaged.
  static Index of(const ByteFile& file, const Header& header);
  /// Makes it in one pass, and writes nothing.
  static Index made_of(const ByteFile& file, const Header& header);
  /// Writes it beside the file.
  void save(const ByteFile& file) const;
  static std::string path_of(const std::string& file) { return file + ".index"; }
  /// Removes what lies beside a file that is written anew.
  static void forget(const std::string& file);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Bytes of an incomplete record at the end of the file: its writer was interrupted.
  [[nodiscard]] std::uint64_t incomplete_bytes() const { return incomplete_bytes_; }
  [[nodiscard]] std::optional<std::uint64_t> find(const Identity& identity);

 private:
  static std::optional<Index> load(const ByteFile& file, const Header& header);
  /// Does the file have some of these events? It could be another one of equal size.
  [[nodiscard]] bool fits(const ByteFile& file) const;

  std::vector<Entry> entries_;
  std::uint64_t incomplete_bytes_ = 0;
  std::vector<std::uint64_t> by_identity_;  ///< made at the first search
};

/// What is wrong with the end of the file, where its writer was interrupted. Reads it in one pass.
std::optional<std::string> problem_at_end(const std::string& path);

}  // namespace onecast::events::pds
