#pragma once

#include <nanobind/stl/variant.h>

#include <variant>

#include "bindings.hpp"
#include "onecast/objects/group.hpp"

/// An object of any kind, as Python sees it; a committed datatype is an Object.
using AnyObject = std::variant<onecast::Group, onecast::Dataset, onecast::Object>;

/// Opens an object. `where` is a path, a Link or a Reference.
template <class Where>
AnyObject open_any(const onecast::Group& group, const Where& where, onecast::ObjectKind kind) {
  if (kind == onecast::ObjectKind::group) return group.open_group(where);
  if (kind == onecast::ObjectKind::dataset) return group.open_dataset(where);
  return group.open_object(where);
}
