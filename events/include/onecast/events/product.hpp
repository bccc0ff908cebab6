#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace onecast::events {

using Bytes = std::span<const std::byte>;

/// A data product that every event of a file or a source has.
struct Product {
  std::string name;        ///< unique among the products of a file
  std::string class_name;  ///< the C++ class of the value

  bool operator==(const Product&) const = default;
};

/// The products that each event of a source or a file has, in the order by which they are numbered.
struct ProductList {
  std::string serializer = "bytes";  ///< the name of the library that serialised the values
  std::vector<Product> products;

  [[nodiscard]] std::size_t size() const { return products.size(); }
  bool operator==(const ProductList&) const = default;
};

}  // namespace onecast::events
