#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hdf5/column_plan.hpp"
#include "onecast/events/product.hpp"
#include "onecast/objects/group.hpp"

/// The description of columns in the attributes of their group (docs/reference/events_columnar.md).
namespace onecast::events::hdf5 {

/// A column whose events are numbers: a product.
struct ColumnForm {
  enum class Kind : std::uint8_t {
    fixed,   ///< each event has one row of the dataset KEY-data
    list,    ///< each event has a list of elements, KEY-offsets
    option,  ///< each event has one element or none, KEY-index
  };

  Product product;
  Kind kind = Kind::fixed;
  std::string places{};   ///< the dataset of offsets or index; empty: none
  std::string data{};     ///< the dataset of the elements
  std::size_t bytes = 0;  ///< of an element, without its inner shape
  char letter = 'u';      ///< i, u, f: signed or unsigned integers, floats; b: bool
  bool is_added = false;  ///< part of the identity of products that became columns
  std::vector<std::uint64_t> inner_shape{};  ///< of an element that is an array
};

struct GroupForm {
  std::uint64_t length = 0;
  bool is_unfinished = false;
  std::vector<ColumnForm> columns;
  std::vector<std::string> left_out;  ///< "NAME: why" for columns that are no products
  std::vector<std::string> identity;  ///< the columns of run, lumi, event; empty if there are none
};

/// True if the bytes of each event are valid UTF-8. @param ends where the bytes of each event end
bool are_texts(Bytes bytes, const std::vector<std::uint64_t>& ends);

/// True if the group holds columns.
bool has_columns(const Group& group);
/// Reads the description. Throws Error (format, unsupported).
GroupForm form_of(const Group& group);

/// The storage of a column, for the form.
struct StoredColumn {
  std::string places{};                ///< the key of the offsets or the index; empty: none
  std::vector<std::string> numbers{};  ///< the keys of its numbers
  bool is_option = false;              ///< events may lack the number
  bool is_text = false;
};

/// The texts that describe the columns of a group; they do not depend on the number of events.
struct GroupTexts {
  std::string form, columns;
  bool operator==(const GroupTexts&) const = default;
};
/// Throws Error (invalid_argument) that begins with `where` if a name is not UTF-8.
void require_names(const ColumnPlan& plan, const std::string& where);
GroupTexts texts_of(const ColumnPlan& plan, const std::vector<StoredColumn>& stored);
/// Sets the attributes of the group. @replicated
void describe_columns(Group& group, const GroupTexts& texts);
/// @replicated
void set_length(Group& group, std::uint64_t events, bool is_unfinished);
/// Notes the columns that the index was made from. @replicated
void set_identity(Group& group, const std::vector<std::string>& names);

}  // namespace onecast::events::hdf5
