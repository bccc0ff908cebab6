#pragma once

#include <cstddef>
#include <span>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/new_values.hpp"
#include "space/bound_selection.hpp"

namespace onecast::values {

/// Puts the values of all ranks' parts into the heap in the order of the elements, whichever rank
/// has which, and turns the checked `elements` into their stored form. @collective
void store_values_together(Node& dataset, const BoundSelection& selection,
                           std::span<std::byte> elements, const NewValues& values);

}  // namespace onecast::values
