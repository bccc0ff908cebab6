#pragma once

#include "base/namespaces.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::elements {

/// The elements of a virtual dataset as reads for every layout see them. Their sources may have any
/// layout, so that the room that reads the sources lies above those reads.
class MappedElements : public LayoutStorage {
 public:
  virtual ~MappedElements() = default;

  /// Reads the selected elements in the stored type. Does not communicate.
  virtual void read(const BoundSelection& selection, const ElementTarget& out) const = 0;
};

}  // namespace onecast::elements
