#pragma once

#include <map>
#include <set>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::values {

/// Values that elements referred to until they were written again. Their space is free after the
/// next flush: for other values, or for anything where a collection of the global heap has none
/// left.
class OverwrittenValues {
 public:
  explicit OverwrittenValues(FileState& file) : file_(file) {}

  /// Strings and sequences that the selected elements refer to; not those inside of sequences. Of
  /// what cannot be read nothing, nor, with a communicator, of a dataset that no flush has written:
  /// what others wrote there is not known. Does not communicate, nor throw.
  void note(Node& dataset, const BoundSelection& selection);
  /// The elements that were noted have other values now, if the next flush finds all that was
  /// written. Does not communicate.
  void drop();

 private:
  void note(const Datatype& type, std::span<const std::byte> elements);

  FileState& file_;
  std::map<Address, std::set<std::uint32_t>> overwritten_;
};

}  // namespace onecast::values
