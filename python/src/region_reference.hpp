#pragma once

#include <utility>

#include "onecast/objects/reference.hpp"

/// A class of its own, so that Python's module `_values` can tell it from an object reference.
struct RegionReference : onecast::Reference {
  RegionReference() = default;
  explicit RegionReference(onecast::Reference reference)
      : onecast::Reference(std::move(reference)) {}
};
