#include "model/unique_names.hpp"

#include <fmt/format.h>

#include <set>

#include "onecast/base/error.hpp"

namespace onecast::events {

void require_unique(const ProductList& products, const std::string& path) {
  std::set<std::string> names;
  for (const Product& product : products.products)
    if (!names.insert(product.name).second)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{}: two products have the name {}", path, product.name));
}

}  // namespace onecast::events
