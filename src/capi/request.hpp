#pragma once

#include <optional>

#include "capi/arguments.hpp"

namespace onecast::capi {

/// A read or write as C++ takes it.
struct Request {
  Request(const Dataset& dataset, const onecast_part* asked, const onecast_type* memory_type)
      : part(selection_of(asked)), memory(memory_of(asked)), type(optional_type(memory_type)) {
    require_plain(type ? *type : dataset.datatype(), dataset.path());
  }

  [[nodiscard]] const Datatype& given_type(const Dataset& dataset) const {
    return type ? *type : dataset.datatype();
  }

  Selection part;
  std::optional<MemoryLayout> memory;
  std::optional<Datatype> type;
};

}  // namespace onecast::capi
