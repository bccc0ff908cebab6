#pragma once

#include "bindings.hpp"
#include "onecast/objects/dataset.hpp"

/// Reads a selection of numbers, slices with positive steps and `...` from a dataset whose stored
/// elements numpy can use unchanged. Returns NotImplemented for anything else, and for errors.
Any read_brackets(const onecast::Dataset& dataset, nb::handle args);
