#pragma once

#include <cstddef>
#include <span>

#include "base/namespaces.hpp"
#include "objects/tree/variable_write.hpp"
#include "onecast/objects/new_values.hpp"

/// Values of variable length that a rank wrote for itself: they wait for the next flush.
namespace onecast::values {

/// Throws Error (io) if there is no room for it.
VariableWrite waiting_write(Node& dataset, const Selection& part,
                            std::span<const std::byte> elements, const NewValues& values);

/// The values that waiting_write() was given.
NewValues values_of(const VariableWrite& write);

/// Throws Error (state) if this rank wrote some of these elements for itself and they wait for the
/// next flush: nobody can read them before.
void require_none_waiting(Node& dataset, const Selection& part);

/// The dataset changes its shape: what this rank wrote to it stays what it was where that still is,
/// and goes where it is not.
void resize_waiting_writes(Node& dataset, const Shape& before, const Shape& next);

}  // namespace onecast::values
