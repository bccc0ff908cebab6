#pragma once

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::storage {

/// Other programs give contiguous data its place when it is first written: it has none yet.
[[nodiscard]] bool has_no_place(Node& dataset);

/// Gives it one, if it has none. @same
void allocate_late(Node& dataset);

/// Contiguous data lies there from now on, where the file on disk has nothing. @same
void set_place(Node& dataset, Address address, std::uint64_t size);

}  // namespace onecast::storage
