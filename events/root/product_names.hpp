#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/events/product.hpp"

namespace onecast::events::root {

/// Throws Error (invalid_argument) where a product has no name, where that of its column is one of
/// the columns of the identity, or where two would have one.
/// @param columns how the column of each product is called
void require_names(const ProductList& products, const std::vector<std::string>& columns,
                   std::initializer_list<std::string_view> identity, const std::string& path);

}  // namespace onecast::events::root
