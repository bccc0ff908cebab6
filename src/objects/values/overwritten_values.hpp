#pragma once

#include <map>
#include <set>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::values {

/// The values of elements that were overwritten. Their space is free after the next flush: for
/// other values, or, if a collection of the global heap has no values left, for anything.
class OverwrittenValues {
 public:
  explicit OverwrittenValues(FileState& file) : file_(file) {}

  /// Notes the strings and sequences to which the selected elements refer, except those inside of
  /// sequences. It skips elements that cannot be read and, with a communicator, datasets that no
  /// flush has written, because the writes of other ranks are not known. Does not communicate and
  /// does not throw.
  void note(Node& dataset, const BoundSelection& selection);
  /// Drops the noted values: the elements have other values now, if the next flush finds that
  /// everything was written. Does not communicate.
  void drop();

 private:
  void note(const Datatype& type, std::span<const std::byte> elements);

  FileState& file_;
  std::map<Address, std::set<std::uint32_t>> overwritten_;
};

}  // namespace onecast::values
