#pragma once

#include <span>

#include "handles/handle.hpp"

namespace onecast_hdf5 {

/// Makes stored elements, or parts of them, stand for new values: each value for which an element
/// stands is read from the file, and written again with the elements.
void renew_values(const Handle& of, const onecast::Datatype& type, std::span<std::byte> elements,
                  onecast::NewValues& values);

}  // namespace onecast_hdf5
