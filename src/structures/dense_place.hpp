#pragma once

#include "base/address.hpp"
#include "base/namespaces.hpp"

namespace onecast::structures {

/// Where dense links or attributes lie: the addresses of a Link Info or Attribute Info message.
struct DensePlace {
  Address heap;  ///< undefined: they are not dense
  Address name_index;
  Address creation_order_index;  ///< undefined: there is none

  [[nodiscard]] bool is_defined() const { return heap.is_defined(); }
};

}  // namespace onecast::structures
