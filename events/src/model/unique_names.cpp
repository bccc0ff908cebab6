#include "model/unique_names.hpp"

#include <set>

#include "model/make_error.hpp"

namespace onecast::events {

void require_unique(const ProductList& products, const std::string& path) {
  std::set<std::string> names;
  for (const Product& product : products.products)
    if (!names.insert(product.name).second)
      throw argument_error("{}: two products have the name {}", path, product.name);
}

}  // namespace onecast::events
