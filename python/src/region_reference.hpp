#pragma once

#include <utility>

#include "onecast/objects/reference.hpp"

/// As Python's module `_values` wants them told apart.
struct RegionReference : onecast::Reference {
  RegionReference() = default;
  explicit RegionReference(onecast::Reference reference)
      : onecast::Reference(std::move(reference)) {}
};
