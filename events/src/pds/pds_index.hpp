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
  /// it is made at each opening.
  static Index of(const ByteFile& file, const Header& header);
  /// Makes it in one pass, up to a record that is damaged, and writes nothing.
  static Index made_of(const ByteFile& file, const Header& header);
  /// Writes it beside the file.
  void save(const ByteFile& file) const;
  static std::string path_of(const std::string& file) { return file + ".index"; }
  /// Removes what lies beside a file that is written anew.
  static void forget(const std::string& file);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Bytes of an incomplete record at the end of the file: its writer was interrupted.
  [[nodiscard]] std::uint64_t incomplete_bytes() const { return incomplete_bytes_; }
  /// What is wrong with the record behind the last one: nothing is known of those that follow it.
  [[nodiscard]] const std::optional<std::string>& damage() const { return damage_; }
  void require_no_damage() const;
  [[nodiscard]] std::optional<std::uint64_t> find(const Identity& identity);

 private:
  /// Adds the record at byte `at`, if it is whole. Throws Error (format).
  bool add_record(const ByteFile& file, const Header& header, std::uint64_t at);
  static std::optional<Index> load(const ByteFile& file, const Header& header);
  /// Does the file have some of these events? It could be another one of equal size.
  [[nodiscard]] bool fits(const ByteFile& file) const;

  std::vector<Entry> entries_;
  std::uint64_t incomplete_bytes_ = 0;
  std::optional<std::string> damage_;
  std::vector<std::uint64_t> by_identity_;  ///< made at the first search
};

/// What is wrong with the records, or with the end of the file, where its writer was interrupted.
/// Reads it in one pass.
std::optional<std::string> problem_of(const std::string& path);

}  // namespace onecast::events::pds
