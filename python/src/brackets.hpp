#pragma once

#include "bindings.hpp"
#include "onecast/objects/dataset.hpp"

/// Reads what numbers, slices with positive steps and `...` select, of datasets whose elements are
/// numpy's as they are stored. For anything else, and for what is wrong, it is NotImplemented.
nb::object read_brackets(const onecast::Dataset& dataset, nb::handle args);
