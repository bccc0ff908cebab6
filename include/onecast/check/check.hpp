#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace onecast {

/// Something that a check found.
struct Finding {
  enum class Kind : std::uint8_t {
    damage,       ///< bytes that the specification does not allow, or a checksum that does not fit
    overlap,      ///< two structures claim the same bytes
    unsupported,  ///< valid, but not checked: Onecast does not know it
    note,         ///< allowed, and worth knowing
  };

  Kind kind = Kind::damage;
  std::string path;  ///< of the object that it belongs to; empty: the file as a whole
  std::optional<std::uint64_t> address{};
  std::string structure{};  ///< the specification's title of the record
  std::string field{};
  std::string what{};
};

/// Structures of one kind, and what they serve: {"v2 B-tree", "links"}.
struct StructureTotal {
  std::string structure;
  std::string use;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// Datasets with the same filters, in the order in which they are applied: "shuffle, deflate".
struct FilterTotal {
  std::string filters;
  std::uint64_t datasets = 0;
  std::uint64_t chunks = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t plain_bytes = 0;  ///< of the same chunks without filters
};

/// How many there are of something.
struct NamedCount {
  std::string name;
  std::uint64_t count = 0;
};

struct CheckReport {
  std::uint64_t file_size = 0;
  std::uint64_t user_block = 0;   ///< bytes before the superblock
  std::uint64_t end_of_file = 0;  ///< as the superblock has it, from its start
  unsigned superblock_version = 0;
  bool walked = false;            ///< the root group was found, and all below it looked for
  std::vector<Finding> findings;  ///< the first of each kind, up to CheckOptions::limit
  std::vector<NamedCount> finding_counts;  ///< all, by kind
  std::vector<NamedCount> objects;         ///< by kind, and links and attributes
  std::vector<StructureTotal> structures;
  std::vector<FilterTotal> filters;
  std::uint64_t metadata_bytes = 0;     ///< all structures but raw data
  std::uint64_t raw_data_bytes = 0;     ///< in this file and not in headers
  std::uint64_t compact_bytes = 0;      ///< raw data in headers
  std::uint64_t free_bytes = 0;         ///< that free-space managers or the page list know of
  std::uint64_t unaccounted_bytes = 0;  ///< that belong to nothing
  std::uint64_t metadata_pieces = 0;    ///< separate stretches of metadata

  [[nodiscard]] bool is_damaged() const;
};

struct CheckProgress {
  std::uint64_t objects_done = 0;
  std::uint64_t objects_known = 0;  ///< so far
};

struct CheckOptions {
  /// Also decode all chunks, and look up all values of variable length.
  bool data = false;
  std::uint64_t limit = 1000;
  /// Called now and then.
  std::function<void(const CheckProgress&)> progress{};
};

/// Reads all metadata of a file, verifies it, and goes on behind what is damaged: checksums,
/// fields, addresses, whether two structures overlap. Throws Error (not_found, io), and (format) if
/// there is no HDF5 file at all. @independent
CheckReport check_file(const std::string& path, const CheckOptions& options = {});

}  // namespace onecast
