#pragma once

#include <optional>

#include "capi/arguments.hpp"
#include "capi/handles.hpp"
#include "onecast/objects/dataset.hpp"

namespace onecast::capi {

/// A read or write as C++ takes it.
struct Request {
  Request(const Dataset& dataset, const onecast_part* asked, const onecast_type* memory_type)
      : part(selection_of(asked)), memory(memory_of(asked)), type(optional_type(memory_type)) {
    // Its path waits for calls that are pending.
    if (const Datatype& given = given_type(dataset); given.points_elsewhere())
      require_plain(given, dataset.path());
  }

  [[nodiscard]] const Datatype& given_type(const Dataset& dataset) const {
    return type ? *type : dataset.datatype();
  }

  Selection part;
  std::optional<MemoryLayout> memory;
  std::optional<Datatype> type;
};

}  // namespace onecast::capi
