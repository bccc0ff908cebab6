#pragma once

#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::copy {

/// Finds committed datatypes of a file by what they describe.
class EqualTypes {
 public:
  /// @param file must outlive the object
  explicit EqualTypes(FileState& file) : file_(file) {}

  /// Returns a committed datatype of the file that equals `type`, or null. The first call visits
  /// all objects of the file to which hard links lead.
  Node* find(const Datatype& type);

 private:
  void collect();

  FileState& file_;
  std::optional<std::vector<Node*>> types_;  ///< in the order of the visit; absent: not visited yet
};

}  // namespace onecast::copy
