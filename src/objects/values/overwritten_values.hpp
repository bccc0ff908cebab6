#pragma once

#include <map>
#include <set>

#include "objects/tree/node.hpp"
#include "objects/values/heap_reader.hpp"
#include "space/bound_selection.hpp"

namespace onecast {

/// Values that elements referred to until they were written again. A collection of the global heap
/// of which no value is in use any more is free after the next flush; one that others share stays
/// as it is.
class OverwrittenValues {
 public:
  explicit OverwrittenValues(FileState& file) : file_(file), reader_(file) {}

  /// Strings and sequences that the selected elements refer to; not those inside of sequences. Of
  /// damaged elements nothing, nor of a dataset that no flush has written. Does not communicate.
  void note(Node& dataset, const BoundSelection& selection);
  /// The elements that were noted have other values now, if the next flush finds all that was
  /// written. Does not communicate.
  void drop();

 private:
  void note(const Datatype& type, std::span<const std::byte> elements);

  FileState& file_;
  HeapReader reader_;
  std::map<Address, std::set<std::uint32_t>> overwritten_;
};

}  // namespace onecast
