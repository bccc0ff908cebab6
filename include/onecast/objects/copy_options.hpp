#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onecast/objects/dataset.hpp"

namespace onecast {

/// Changes to the storage of a dataset that is copied.
struct StorageChange {
  /// Absent: chunked if `chunk` or `filters` require it, else unchanged.
  std::optional<Layout> layout = {};
  /// Elements per chunk. Empty: unchanged; for a dataset that was not chunked, chunks of at most 1
  /// MiB.
  Shape chunk = {};
  /// Absent: unchanged. Empty: none.
  std::optional<std::vector<Filter>> filters = {};
};

/// The options of Group::copy.
struct CopyOptions {
  bool shallow = false;          ///< copy groups in the copied group without members
  bool expand_soft = false;      ///< replace soft links that lead to an object by a copy of it
  bool expand_external = false;  ///< replace external links that lead to an object by a copy of it
  /// Also copy the objects, outside of the copied one, to which references in attributes and
  /// elements lead, as members `~obj_pointed_by_ADDRESS` of the root group, and make the references
  /// lead to the copies. Without this, such references stay as they are within a file, and become
  /// references that were never set in another file. References in other files stay.
  bool expand_references = false;
  bool without_attributes = false;
  /// Make copied objects refer to an equal committed datatype of this file, if there is one, in
  /// place of a copy of theirs.
  bool merge_committed_types = false;
  /// The changes to the storage of datasets; a key is the path of a dataset relative to the copied
  /// object. The entry "" applies to all datasets that have no entry and can be stored in that way;
  /// filters that suit no dataset are an Error. @same
  std::map<std::string, StorageChange, std::less<>> storage = {};
  /// Called on rank 0 after each block of elements, with the number of bytes copied so far and in
  /// all.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

}  // namespace onecast
