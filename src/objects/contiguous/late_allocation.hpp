#pragma once

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::contiguous {

/// Returns true if contiguous data has no place yet: other programs allocate it at the first write.
[[nodiscard]] bool has_no_place(const Node& dataset, const DatasetInfo& info);
[[nodiscard]] inline bool has_no_place(Node& dataset) {
  return has_no_place(dataset, dataset.dataset());
}

/// Gives the data a place if it has none. @same
void allocate_late(Node& dataset);

/// Sets the place of contiguous data; the file on disk has nothing there yet. @same
void set_place(Node& dataset, Address address, std::uint64_t size);

}  // namespace onecast::contiguous
