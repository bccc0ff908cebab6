#include "hdf5/column_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hdf5/column_form.hpp"
#include "hdf5/element_types.hpp"
#include "onecast/events/identity_names.hpp"

namespace onecast::events::hdf5 {
namespace {

using Kind = PlannedColumn::Kind;

/// Returns the type of booleans that h5py and onecast.events use.
Datatype boolean() {
  return Datatype::enumeration(Datatype::integer(1, true), {{"FALSE", 0}, {"TRUE", 1}});
}

std::string primitive_of(const Datatype& type) {
  const char* kind = type.type_class() == TypeClass::floating ? "float"
                     : type.is_signed()                       ? "int"
                                                              : "uint";
  return fmt::format("{}{}", kind, 8 * type.size());
}

ColumnNumbers numbers_of(const Datatype& type, const std::string& field = {}, std::size_t at = 0) {
  return {field, type, primitive_of(type), at};
}

PlannedColumn column_of(const ProductList& products, std::size_t number) {
  const Product& product = products.products[number];
  PlannedColumn column{.product = product, .number = number};
  const auto type = element_type(product, products.serializer);
  if (!type) {
    column.numbers = {numbers_of(Datatype::of<std::uint8_t>())};
    column.may_be_text = products.serializer == "raw" && product.class_name == "std::string";
    return column;
  }
  column.kind =
      product.class_name.find_first_of("[</") == std::string::npos ? Kind::number : Kind::list;
  column.element_bytes = type->size();
  if (type->type_class() == TypeClass::compound) {
    for (const CompoundMember& member : type->members())
      column.numbers.push_back(numbers_of(member.type, member.name, member.offset));
  } else if (has_booleans(product)) {
    column.numbers = {{"", boolean(), "bool", 0}};
  } else {
    column.numbers = {numbers_of(*type)};
  }
  return column;
}

std::optional<std::size_t> place_of(const std::vector<PlannedColumn>& columns,
                                    std::string_view name) {
  const auto found = std::ranges::find(
      columns, name, [](const PlannedColumn& column) { return column.product.name; });
  if (found == columns.end()) return {};
  return static_cast<std::size_t>(found - columns.begin());
}

/// True if the column can be part of an identity.
bool is_integer(const PlannedColumn& column) {
  return !column.has_offsets() && column.numbers.front().type.type_class() == TypeClass::integer;
}

/// Returns the columns with usual names for run, lumi, event; none if one of them is missing.
std::vector<std::size_t> identity_in(const std::vector<PlannedColumn>& columns) {
  for (const IdentityNames& names : kUsualIdentities) {
    std::vector<std::size_t> places;
    for (const std::string_view name : names)
      if (const auto place = place_of(columns, name); place && is_integer(columns[*place]))
        places.push_back(*place);
    if (places.size() == names.size()) return places;
  }
  return {};
}

/// Inserts the columns run, lumi and event before those of products, unless products of numbers
/// have these names. If other products have them, the columns get other names.
void add_identity(std::vector<PlannedColumn>& columns) {
  const bool are_usable = std::ranges::all_of(kIdentityParts, [&](std::string_view name) {
    const auto place = place_of(columns, name);
    return !place || is_integer(columns[*place]);
  });
  std::vector<PlannedColumn> added;
  const IdentityNames& names = are_usable ? kIdentityParts : kOwnIdentityNames;
  const auto add = [&](Kind kind, std::size_t part, const Datatype& type) {
    const std::string name(names[part]);
    if (place_of(columns, name)) return;
    const ColumnNumbers numbers = numbers_of(type);
    added.push_back({.product = {name, numbers.primitive},
                     .kind = kind,
                     .element_bytes = type.size(),
                     .numbers = {numbers}});
  };
  add(Kind::run, 0, Datatype::of<std::uint32_t>());
  add(Kind::lumi, 1, Datatype::of<std::uint32_t>());
  add(Kind::event, 2, Datatype::of<std::uint64_t>());
  columns.insert(columns.begin(), added.begin(), added.end());
}

}  // namespace

ColumnPlan plan_columns(const ProductList& products) {
  ColumnPlan plan;
  for (std::size_t p = 0; p < products.size(); ++p) plan.columns.push_back(column_of(products, p));
  if (identity_in(plan.columns).empty()) add_identity(plan.columns);
  plan.identity = identity_in(plan.columns);
  return plan;
}

std::string ArrayNames::take(std::string wanted, const std::string& attribute) {
  std::ranges::replace(wanted, '/', '.');
  std::string key = wanted;
  for (int number = 1; !taken_.insert(fmt::format("{}-{}", key, attribute)).second;)
    key = fmt::format("{}~{}", wanted, ++number);
  return key;
}

std::string shared_key(const std::string& name) {
  const std::string key = name.substr(0, name.find('_'));
  return key.empty() ? name : key;
}

}  // namespace onecast::events::hdf5
