#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/byte_file.hpp"
#include "pds/pds_format.hpp"
#include "pds/pds_index_file.hpp"
#include "pds/pds_places.hpp"
#include "pds/pds_records.hpp"

namespace onecast::events::pds {

/// The places of the events of a PDS file, found in one pass over the records and kept in a file
/// beside it (FILE.index) as long as that fits the PDS file. Only pieces of it are in memory.
class Index {
 public:
  /// Uses the index beside the file, or makes one and writes it there. If that cannot be written,
  /// each opening makes it again and keeps it in memory. @param file outlives the index
  static Index of(const ByteFile& file, const Header& header);
  /// Makes an index in one pass, up to a damaged record, and writes nothing.
  static Index made_of(const ByteFile& file, const Header& header);
  /// Writes the index beside the file.
  void save(const ByteFile& file) const;
  static std::string path_of(const std::string& file) { return file + ".index"; }
  /// Removes the index of a file that is written anew.
  static void forget(const std::string& file);

  [[nodiscard]] std::uint64_t size() const { return found_.count; }
  /// The bytes of an incomplete record at the end of the file, whose writer was interrupted.
  [[nodiscard]] std::uint64_t incomplete_bytes() const { return found_.incomplete_bytes; }
  /// The damage of the record after the last one found; nothing is known of the records after it.
  [[nodiscard]] const std::optional<std::string>& damage() const { return found_.damage; }
  void require_no_damage() const;

  // Only one of the following calls runs at a time. An index that does not fit the records is made
  // anew.
  /// Reads the start and the payload of a record into `record`.
  Entry read(std::uint64_t number, std::vector<std::byte>& record);
  [[nodiscard]] std::optional<std::uint64_t> find(const Identity& identity);

 private:
  Index(const ByteFile& file, const Header& header)
      : file_(&file), header_(header), window_(file) {}
  /// Makes an index as of() does, but ignores an existing one.
  static Index anew(const ByteFile& file, const Header& header);
  static std::optional<Index> load(const ByteFile& file, const Header& header);
  void make_anew();
  /// Does the work, and repeats it with a new index if the one beside the file is of no use.
  template <class Work>
  auto with_trust(const Work& work);

  /// Throws if the file does not hold some of these events: it could be another file of equal size.
  void require_samples();
  /// Reads the start of a record. Throws Error (format) if it differs from the known one.
  RecordStart start_of(std::uint64_t number, const Entry& known);
  /// Returns the start of a record that was read. Throws as start_of.
  [[nodiscard]] RecordStart matching(std::uint64_t number, const Entry& known, Bytes record) const;

  /// Returns the number of an event from its position in the order of identities. Throws Error
  /// (format).
  [[nodiscard]] std::uint64_t number_at(std::uint64_t position) const;
  Identity identity_at(std::uint64_t position);
  std::uint64_t position_of(const Identity& identity);
  void sort();

  const ByteFile* file_;
  Header header_;
  Scanned found_;
  std::unique_ptr<IndexFile> stored_;
  Places places_;  ///< used if no index is stored
  Window window_;
  std::vector<std::uint64_t> order_;  ///< made at the first search, if identities do not ascend
  std::uint64_t last_position_ = 0;   ///< the last result of a search
};

/// Returns a problem of the records, or of the end of the file if its writer was interrupted. Reads
/// the file in one pass.
std::optional<std::string> problem_of(const std::string& path);

}  // namespace onecast::events::pds
