#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "check/finding_log.hpp"
#include "format/objects/page_list_message.hpp"
#include "onecast/check/check.hpp"

namespace onecast::check {

/// Kinds of structures, as in the totals.
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

/// The purpose of a structure.
enum class Use : std::uint8_t { file, objects, links, attributes, chunks, values, contiguous };

/// The use of the bytes of a file.
class StructureMap {
 public:
  /// Adds an owner: an object at this path. Owner 0 is the file itself.
  std::uint32_t add_owner(std::string path);
  [[nodiscard]] const std::string& path(std::uint32_t owner) const { return owners_[owner]; }

  /// Notes that [address, address + size) was viewed. The same bytes may be noted repeatedly, and
  /// the start of a structure before the whole.
  void note(std::uint64_t address, std::uint64_t size, Family family, Use use, std::uint32_t owner);

  /// Notes that `size` bytes belong to the structure that begins there, including those that are
  /// never viewed.
  void reserve(std::uint64_t address, std::uint64_t size);

  /// Notes free bytes of the page list, in ascending order.
  void note_free(const FreeStretch& stretch) { free_.push_back(stretch); }

  /// Logs where two structures share bytes, or a structure has free ones, and reports what all
  /// bytes are used for. `end` is that of the file. Can be called once, since the map is empty
  /// afterwards.
  void finish(std::uint64_t end, FindingLog& log, CheckReport& report);

 private:
  struct Extent {
    std::uint64_t address;
    std::uint64_t size;
    std::uint32_t owner;
    Family family;
    Use use;
  };

  [[nodiscard]] std::vector<Extent> resolved(FindingLog& log);
  void report_overlap(const Extent& a, const Extent& b, FindingLog& log) const;
  void check_free(const std::vector<Extent>& extents, FindingLog& log) const;
  void grow_to_reserved(std::vector<Extent>& extents, std::uint64_t end);
  static void total(const std::vector<Extent>& extents, std::uint64_t end, CheckReport& report);

  std::vector<std::string> owners_{""};
  std::vector<Extent> extents_;
  std::vector<FileRange> reserved_;
  std::vector<FreeStretch> free_;
};

const char* name_of(Family family);
const char* name_of(Use use);

}  // namespace onecast::check
