#pragma once

#include "base/address.hpp"
#include "base/namespaces.hpp"

namespace onecast::structures {

/// The place of dense links or attributes: the addresses of a Link Info or Attribute Info message.
struct DensePlace {
  Address heap;  ///< undefined: the storage is not dense
  Address name_index;
  Address creation_order_index;  ///< undefined: there is none

  [[nodiscard]] bool is_defined() const { return heap.is_defined(); }
};

}  // namespace onecast::structures
