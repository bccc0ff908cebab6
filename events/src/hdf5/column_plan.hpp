#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "onecast/events/product.hpp"
#include "onecast/types/datatype.hpp"

/// Which columns products become (docs/reference/events_columnar.md).
namespace onecast::events::hdf5 {

/// Numbers of an element, which are a stored array.
struct ColumnNumbers {
  std::string field;      ///< of a record; empty: the element is the number
  Datatype type;          ///< of a stored number
  std::string primitive;  ///< its name in a form
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
  std::optional<std::size_t> number{};  ///< of the product; none: part of the identity
  std::size_t element_bytes = 1;        ///< in a product
  bool may_be_text = false;             ///< bytes of the class std::string
  std::vector<ColumnNumbers> numbers{};

  [[nodiscard]] bool has_offsets() const { return kind == Kind::list || kind == Kind::bytes; }
};

struct ColumnPlan {
  std::vector<PlannedColumn> columns;
  /// Which columns have run, lumi and event; none: they are no numbers.
  std::vector<std::size_t> identity;
};

/// A column of each product: numbers where element_type() knows them, else bytes. Before them the
/// columns of the identity, unless products of numbers have its usual names.
ColumnPlan plan_columns(const ProductList& products);

/// Names of datasets that no two arrays share.
class ArrayNames {
 public:
  /// KEY-ATTRIBUTE: the key is `wanted`, or that with a number. Returns the key.
  std::string take(std::string wanted, const std::string& attribute);

 private:
  std::set<std::string> taken_;
};

/// What a key of offsets is that columns may share: what stands before the first _.
std::string shared_key(const std::string& name);

}  // namespace onecast::events::hdf5
