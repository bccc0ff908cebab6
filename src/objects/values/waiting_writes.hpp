#pragma once

#include <cstddef>
#include <span>

#include "base/namespaces.hpp"
#include "objects/nodes/variable_write.hpp"
#include "onecast/objects/new_values.hpp"

/// Values of variable length that a rank wrote independently; they wait for the next flush.
namespace onecast::values {

/// Throws Error (io) if there is no room for the write.
VariableWrite waiting_write(Node& dataset, const Selection& part,
                            std::span<const std::byte> elements, const NewValues& values);

/// Returns the values that waiting_write() was given.
NewValues values_of(const VariableWrite& write);

/// Throws Error (state) if this rank wrote some of these elements independently and they wait for
/// the next flush: nothing can read them before.
void require_none_waiting(Node& dataset, const Selection& part);

/// Adjusts this rank's waiting writes to a new shape of the dataset: elements inside stay, the
/// others are dropped.
void resize_waiting_writes(Node& dataset, const Shape& before, const Shape& next);

}  // namespace onecast::values
