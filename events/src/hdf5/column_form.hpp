#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hdf5/column_plan.hpp"
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

/// The names that columns with run, lumi and event usually have, and own_identity_name() of them.
const std::vector<std::vector<std::string>>& usual_identities();
/// The column of a part of the identity where something else is called run, lumi or event.
std::string own_identity_name(std::string_view part);

/// Are the bytes of all events texts in UTF-8? @param ends where the bytes of each event end
bool are_texts(Bytes bytes, const std::vector<std::uint64_t>& ends);

/// Is it a group of columns?
bool has_columns(const Group& group);
/// Throws Error (format, unsupported).
GroupForm form_of(const Group& group);

/// How a column is stored, for the form.
struct StoredColumn {
  std::string places{};                ///< the key of offsets or index; empty: none
  std::vector<std::string> numbers{};  ///< the keys of its numbers
  bool is_option = false;              ///< events may lack the number
  bool is_text = false;
};

/// What a group says of its columns, whatever the number of events.
struct GroupTexts {
  std::string form, columns;
  bool operator==(const GroupTexts&) const = default;
};
/// Throws Error (invalid_argument) that begins with `where`: a name that is no UTF-8.
void require_names(const ColumnPlan& plan, const std::string& where);
GroupTexts texts_of(const ColumnPlan& plan, const std::vector<StoredColumn>& stored);
/// Sets the attributes of the group. @collective @same; does not communicate
void describe_columns(Group& group, const GroupTexts& texts);
/// @collective @same; does not communicate
void set_length(Group& group, std::uint64_t events, bool is_unfinished);
/// The columns in which the index was made. @collective @same; does not communicate
void set_identity(Group& group, const std::vector<std::string>& names);

}  // namespace onecast::events::hdf5
