#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "onecast/events/product.hpp"
#include "onecast/types/datatype.hpp"

/// Plans the columns of products (docs/reference/events_columnar.md).
namespace onecast::events::hdf5 {

/// Numbers of the elements, stored as one array.
struct ColumnNumbers {
  std::string field;      ///< of a record; empty if the element is the number itself
  Datatype type;          ///< of a stored number
  std::string primitive;  ///< the name of the type in a form
  std::size_t at = 0;     ///< its first byte in the element
};

struct PlannedColumn {
  enum class Kind : std::uint8_t {
    run,     ///< part of the identity
    lumi,    ///< likewise
    event,   ///< likewise
    number,  ///< each event has one, or none
    list,    ///< each event has a list of elements: numbers, or records of them
    bytes,   ///< each event has bytes
  };

  Product product;
  Kind kind = Kind::bytes;
  std::optional<std::size_t> number{};  ///< of the product; none for the identity
  std::size_t element_bytes = 1;        ///< in a product
  bool may_be_text = false;             ///< true if it holds bytes of the class std::string
  std::vector<ColumnNumbers> numbers{};

  [[nodiscard]] bool has_offsets() const { return kind == Kind::list || kind == Kind::bytes; }
};

struct ColumnPlan {
  std::vector<PlannedColumn> columns;
  /// The columns of run, lumi and event; empty if these are not numbers.
  std::vector<std::size_t> identity;

  [[nodiscard]] std::vector<std::string> identity_names() const {
    std::vector<std::string> names;
    names.reserve(identity.size());
    for (const std::size_t column : identity) names.push_back(columns[column].product.name);
    return names;
  }
};

/// Plans a column for each product: numbers if element_type() knows them, else bytes. The columns
/// of the identity come first, unless products of numbers have its usual names.
ColumnPlan plan_columns(const ProductList& products);

/// The names of datasets, which are unique.
class ArrayNames {
 public:
  /// Reserves KEY-ATTRIBUTE and returns the key: `wanted`, or `wanted` with a number.
  std::string take(std::string wanted, const std::string& attribute);

 private:
  std::set<std::string> taken_;
};

/// Returns the key of offsets that several columns may share: the part of the name before the first
/// _.
std::string shared_key(const std::string& name);

}  // namespace onecast::events::hdf5
