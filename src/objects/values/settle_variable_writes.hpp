#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/tree/variable_write.hpp"
#include "onecast/objects/new_values.hpp"
#include "space/bound_selection.hpp"

namespace onecast::values {

/// Throws Error (io) if there is no room for it. See waiting_writes.cpp
VariableWrite waiting_write(Node& dataset, const Selection& part,
                            std::span<const std::byte> elements, const NewValues& values);

/// Puts the values of all ranks' parts into the heap, in the order of the elements, whichever rank
/// has which; `elements`, which were checked, are then as they are stored. @collective
void settle_together(Node& dataset, const BoundSelection& selection, std::span<std::byte> elements,
                     const NewValues& values);

/// Puts what all ranks wrote for themselves, in the order of the ranks, into the heap and into the
/// datasets. @collective
void settle_variable_writes(FileState& file);

}  // namespace onecast::values
