#include "product_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/make_error.hpp"

namespace onecast::events::root {

void require_names(const ProductList& products, const std::vector<std::string>& columns,
                   std::initializer_list<std::string_view> identity, const std::string& path) {
  const auto require = [&](bool is_well, const std::string& problem) {
    if (!is_well) throw argument_error("{}: {}", path, problem);
  };
  std::map<std::string, std::string> known;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const std::string& name = products.products[p].name;
    require(!name.empty(), fmt::format("product {} of {} has no name", p + 1, products.size()));
    const std::string& column = columns[p];
    require(std::ranges::find(identity, column) == identity.end(),
            fmt::format("product {}: {} is the name of the identity of the events", name, column));
    const auto [other, is_new] = known.emplace(column, name);
    require(is_new,
            fmt::format("products {} and {}: both would be {}", other->second, name, column));
  }
}

}  // namespace onecast::events::root
