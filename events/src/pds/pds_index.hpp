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

/// Where the events of a PDS file lie: found in one pass over the records, and kept in a file
/// beside it (FILE.index), as long as that fits the PDS file. Only pieces of it are in memory.
class Index {
 public:
  /// Takes the index beside the file, or makes one and writes it there; if that cannot be written,
  /// it is made at each opening, and kept in memory. @param file outlives it
  static Index of(const ByteFile& file, const Header& header);
  /// Makes it in one pass, up to a record that is damaged, and writes nothing.
  static Index made_of(const ByteFile& file, const Header& header);
  /// Writes it beside the file.
  void save(const ByteFile& file) const;
  static std::string path_of(const std::string& file) { return file + ".index"; }
  /// Removes what lies beside a file that is written anew.
  static void forget(const std::string& file);

  [[nodiscard]] std::uint64_t size() const { return found_.count; }
  /// Bytes of an incomplete record at the end of the file: its writer was interrupted.
  [[nodiscard]] std::uint64_t incomplete_bytes() const { return found_.incomplete_bytes; }
  /// What is wrong with the record behind the last one: nothing is known of those that follow it.
  [[nodiscard]] const std::optional<std::string>& damage() const { return found_.damage; }
  void require_no_damage() const;

  // One of these at a time. An index that does not fit the records is made anew.
  /// Reads the start and the payload of a record into `record`.
  Entry read(std::uint64_t number, std::vector<std::byte>& record);
  [[nodiscard]] std::optional<std::uint64_t> find(const Identity& identity);

 private:
  Index(const ByteFile& file, const Header& header)
      : file_(&file), header_(header), window_(file) {}
  /// As of(), without what is there.
  static Index anew(const ByteFile& file, const Header& header);
  static std::optional<Index> load(const ByteFile& file, const Header& header);
  void make_anew();
  /// Does the work, once more with a new index if the one beside the file is of no use.
  template <class Work>
  auto with_trust(const Work& work);

  /// Does the file have some of these events? It could be another one of equal size.
  void require_samples();
  /// Reads the start of a record. Throws Error (format) if it is not as it is known.
  RecordStart start_of(std::uint64_t number, const Entry& known);
  /// The start of a record that was read. Throws as start_of.
  [[nodiscard]] RecordStart matching(std::uint64_t number, const Entry& known, Bytes record) const;

  /// Of events in the order of their identities. Throws Error (format).
  [[nodiscard]] std::uint64_t number_at(std::uint64_t position) const;
  Identity identity_at(std::uint64_t position);
  std::uint64_t position_of(const Identity& identity);
  void sort();

  const ByteFile* file_;
  Header header_;
  Scanned found_;
  std::unique_ptr<IndexFile> stored_;
  Places places_;  ///< where nothing is stored
  Window window_;
  std::vector<std::uint64_t> order_;  ///< made at the first search, if identities do not ascend
  std::uint64_t last_position_ = 0;   ///< found by a search
};

/// What is wrong with the records, or with the end of the file, where its writer was interrupted.
/// Reads it in one pass.
std::optional<std::string> problem_of(const std::string& path);

}  // namespace onecast::events::pds
