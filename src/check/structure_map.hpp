#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "check/finding_log.hpp"
#include "format/objects/page_list_message.hpp"
#include "onecast/check/check.hpp"

namespace onecast::check {

/// Kinds of structures, as totals are told.
enum class Family : std::uint8_t {
  superblock,
  driver_info,
  object_header,
  btree_v1,
  symbol_nodes,
  local_heap,
  btree_v2,
  fractal_heap,
  fixed_array,
  extensible_array,
  global_heap,
  free_space,
  shared_messages,
  raw_data,
  other,
  none,  ///< not noted at all
};

/// What a structure serves.
enum class Use : std::uint8_t { file, objects, links, attributes, chunks, values, contiguous };

/// Who uses which bytes of the file.
class StructureMap {
 public:
  /// A new owner: an object at this path. Owner 0 is the file itself.
  std::uint32_t add_owner(std::string path);
  [[nodiscard]] const std::string& path(std::uint32_t owner) const { return owners_[owner]; }

  /// [address, address + size) was looked at; the same may be noted again and again, the start of a
  /// structure before all of it.
  void note(std::uint64_t address, std::uint64_t size, Family family, Use use, std::uint32_t owner);

  /// So many bytes belong to the structure that begins there, also those that nobody looks at.
  void reserve(std::uint64_t address, std::uint64_t size);

  /// The page list says that nobody uses these bytes. In ascending order.
  void note_free(const FreeStretch& stretch) { free_.push_back(stretch); }

  /// Tells the log where two structures have the same bytes, or one has free ones, and the report
  /// what all bytes are used for. `end`: of the file. @returns once; the map is empty then
  void finish(std::uint64_t end, FindingLog& log, CheckReport& report);

 private:
  struct Extent {
    std::uint64_t address;
    std::uint64_t size;
    std::uint32_t owner;
    Family family;
    Use use;
  };
  struct Reserved {
    std::uint64_t address;
    std::uint64_t size;
  };

  [[nodiscard]] std::vector<Extent> resolved(FindingLog& log);
  void report_overlap(const Extent& a, const Extent& b, FindingLog& log) const;
  void check_free(const std::vector<Extent>& extents, FindingLog& log) const;
  void grow_to_reserved(std::vector<Extent>& extents, std::uint64_t end);
  static void total(const std::vector<Extent>& extents, std::uint64_t end, CheckReport& report);

  std::vector<std::string> owners_{""};
  std::vector<Extent> extents_;
  std::vector<Reserved> reserved_;
  std::vector<FreeStretch> free_;
};

const char* name_of(Family family);
const char* name_of(Use use);

}  // namespace onecast::check
