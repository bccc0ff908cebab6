#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "onecast/base/language.hpp"

namespace onecast {

/// A finding of a check.
struct Finding {
  enum class Kind : std::uint8_t {
    damage,       ///< bytes that the specification does not allow, or a wrong checksum
    overlap,      ///< two structures claim the same bytes
    unsupported,  ///< valid, but not checked, because Onecast does not support it
    note,         ///< allowed, but worth knowing
  };

  Kind kind = Kind::damage;
  std::string path;  ///< the object concerned; empty: the file as a whole
  std::optional<std::uint64_t> address{};
  std::string structure{};  ///< the specification's title of the record
  std::string field{};
  std::string what{};
};

/// The structures of one kind that have one use: {"v2 B-tree", "links"}.
struct StructureTotal {
  std::string structure;
  std::string use;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// The datasets with equal filters. `filters` lists these in the order in which they are applied:
/// "shuffle, deflate".
struct FilterTotal {
  std::string filters;
  std::uint64_t datasets = 0;
  std::uint64_t chunks = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t plain_bytes = 0;  ///< size of these chunks without filters
};

/// A count with a name.
struct NamedCount {
  std::string name;
  std::uint64_t count = 0;
};

struct CheckReport {
  std::uint64_t file_size = 0;
  std::uint64_t user_block = 0;  ///< bytes before the superblock
  std::uint64_t end_of_file =
      0;  ///< the superblock's end-of-file address, relative to the superblock
  unsigned superblock_version = 0;
  bool walked = false;            ///< the root group was found and everything below it was visited
  std::vector<Finding> findings;  ///< the first findings, up to CheckOptions::limit
  std::vector<NamedCount> finding_counts;  ///< of all findings, by kind
  std::vector<NamedCount> objects;         ///< objects by kind; links and attributes
  std::vector<StructureTotal> structures;
  std::vector<FilterTotal> filters;
  std::uint64_t metadata_bytes = 0;     ///< all structures except raw data
  std::uint64_t raw_data_bytes = 0;     ///< raw data in this file, outside of object headers
  std::uint64_t compact_bytes = 0;      ///< raw data in object headers
  std::uint64_t free_bytes = 0;         ///< listed by free-space managers or the page list
  std::uint64_t unaccounted_bytes = 0;  ///< used by no structure
  std::uint64_t metadata_pieces = 0;    ///< separate stretches of metadata

  /// True if there is damage or an overlap. @independent
  [[nodiscard]] bool is_damaged() const;
};

struct CheckProgress {
  std::uint64_t objects_done = 0;
  std::uint64_t objects_known = 0;  ///< so far
};

struct CheckOptions {
  /// Also decode all chunks and look up all values of variable length.
  bool data = false;
  std::uint64_t limit = 1000;
  /// Called from time to time during the check.
  std::function<void(const CheckProgress&)> progress{};
};

/// Reads all metadata of a file, verifies checksums, fields, addresses, and that no two structures
/// overlap, and continues after damage. Throws Error: not_found, io, format (not an HDF5 file).
/// @independent
CheckReport check_file(const std::string& path, const CheckOptions& options = {});

}  // namespace onecast
