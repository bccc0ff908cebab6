#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/events/product.hpp"

namespace onecast::events::root {

/// Throws Error (invalid_argument) if a product has no name, if the name of its column is one of
/// the identity columns, or if two columns have one name.
/// @param columns the column name of each product
void require_names(const ProductList& products, const std::vector<std::string>& columns,
                   std::initializer_list<std::string_view> identity, const std::string& path);

}  // namespace onecast::events::root
