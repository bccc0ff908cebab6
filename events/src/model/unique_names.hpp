#pragma once

#include <string>

#include "onecast/events/product.hpp"

namespace onecast::events {

/// Throws Error (invalid_argument) that begins with `path` if two products have one name.
void require_unique(const ProductList& products, const std::string& path);

}  // namespace onecast::events
