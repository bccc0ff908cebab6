#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onecast/events/product.hpp"
#include "onecast/objects/group.hpp"

/// What a group of columns says of them (docs/reference/events_columnar.md).
namespace onecast::events::hdf5 {

/// A column whose events are numbers: a product.
struct ColumnForm {
  enum class Kind : std::uint8_t {
    fixed,   ///< each event has one row of the dataset KEY-data
    list,    ///< a list of its elements, KEY-offsets
    option,  ///< one or none of them, KEY-index
  };

  Product product;
  Kind kind = Kind::fixed;
  std::string places{};   ///< the dataset of offsets or index; empty: none
  std::string data{};     ///< the dataset of the elements
  std::size_t bytes = 0;  ///< of an element, without its inner shape
  char letter = 'u';      ///< i, u, f: integers with or without sign, floats; b: bool
  bool is_added = false;  ///< part of the identity of products that became columns
  std::vector<std::uint64_t> inner_shape{};  ///< of an element that is an array
};

struct GroupForm {
  std::uint64_t length = 0;
  bool is_unfinished = false;
  std::vector<ColumnForm> columns;
  std::vector<std::string> left_out;  ///< "NAME: why" of what is no product
  std::vector<std::string> identity;  ///< the columns with run, lumi, event; none: there are none
};

/// Is it a group of columns?
bool has_columns(const Group& group);
/// Throws Error (format, unsupported).
GroupForm form_of(const Group& group);

}  // namespace onecast::events::hdf5
