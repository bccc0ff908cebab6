#include "hdf5/column_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "hdf5/checked_reads.hpp"
#include "hdf5/element_types.hpp"
#include "model/make_error.hpp"
#include "onecast/events/identity_names.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::events::hdf5 {
namespace {

using Json = nlohmann::json;

constexpr const char* kLayout = "columnar";
constexpr std::int64_t kVersion = 1;

struct Primitive {
  const char* name;
  char letter;
  std::size_t bytes;
  const char* class_name;
};
constexpr std::array<Primitive, 12> kPrimitives{{{"bool", 'b', 1, "bool"},
                                                 {"int8", 'i', 1, "int8_t"},
                                                 {"int16", 'i', 2, "int16_t"},
                                                 {"int32", 'i', 4, "int32_t"},
                                                 {"int64", 'i', 8, "int64_t"},
                                                 {"uint8", 'u', 1, "uint8_t"},
                                                 {"uint16", 'u', 2, "uint16_t"},
                                                 {"uint32", 'u', 4, "uint32_t"},
                                                 {"uint64", 'u', 8, "uint64_t"},
                                                 {"float16", 'f', 2, "float16"},
                                                 {"float32", 'f', 4, "float"},
                                                 {"float64", 'f', 8, "double"}}};

/// Returns an attribute that holds JSON; null if it does not exist and may be missing.
Json json_of(const Group& group, const char* name, bool may_be_missing) {
  if (may_be_missing && !group.has_attribute(name)) return {};
  Json found = Json::parse(text_attribute(group, name), nullptr, false);
  if (found.is_discarded()) fail_format(group, "attribute {}: is no JSON", name);
  return found;
}

/// Returns the text of a member; empty if there is none.
std::string text_in(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

const Json& member(const Json& object, const char* name) {
  static const Json kNothing;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? kNothing : *found;
}

/// Returns the class that the file names if it fits the numbers; else a class that does.
std::string class_of(const std::string& said, const Primitive& primitive, bool is_list,
                     const std::string& dimensions) {
  const bool is_one = !is_list && dimensions.empty();
  const auto type = element_type({"", said}, "raw");
  if (type && is_one == (said.find_first_of("[</") == std::string::npos) &&
      type->type_class() != TypeClass::compound && type->size() == primitive.bytes &&
      (type->type_class() == TypeClass::floating) == (primitive.letter == 'f'))
    return said;
  return is_list ? fmt::format("std::vector<{}>", primitive.class_name)
                 : primitive.class_name + dimensions;
}

/// Returns the dimensions of an inner shape as "[2][3]".
std::string dimensions_of(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t length : shape) text += fmt::format("[{}]", length);
  return text;
}

/// Reads the form of a column. Returns why it is no product, or an empty text.
std::string read_form(const Json& form, const std::string& said, ColumnForm& column) {
  const Json* numbers = &form;
  const std::string outer = text_in(form, "class");
  const std::string text = text_in(member(form, "parameters"), "__array__");
  if (outer == "ListOffsetArray" || outer == "IndexedOptionArray") {
    const bool is_list = outer == "ListOffsetArray";
    column.kind = is_list ? ColumnForm::Kind::list : ColumnForm::Kind::option;
    column.places = text_in(form, "form_key") + (is_list ? "-offsets" : "-index");
    numbers = &member(form, "content");
  }
  const std::string inner = text_in(*numbers, "class");
  if (inner != "NumpyArray")
    return numbers == &form ? fmt::format("a {}", inner) : fmt::format("a {} of {}", outer, inner);
  std::string name = text_in(*numbers, "primitive");
  const auto* primitive =
      std::ranges::find_if(kPrimitives, [&](const auto& p) { return p.name == name; });
  if (primitive == kPrimitives.end()) return name;
  for (const Json& length : member(*numbers, "inner_shape")) {
    if (!length.is_number_unsigned()) return "arrays of no shape";
    column.inner_shape.push_back(length.get<std::uint64_t>());
  }
  const std::string dimensions = dimensions_of(column.inner_shape);
  const bool is_fixed = column.kind == ColumnForm::Kind::fixed;
  if (!is_fixed && !dimensions.empty()) return fmt::format("a {} of arrays", outer);
  column.data = text_in(*numbers, "form_key") + "-data";
  column.bytes = primitive->bytes;
  column.letter = primitive->letter;
  if (text == "string")
    column.product.class_name = "std::string";
  else if (text == "bytestring")
    column.product.class_name = said.empty() ? "bytes" : said;
  else
    column.product.class_name =
        class_of(said, *primitive, column.kind == ColumnForm::Kind::list, dimensions);
  return {};
}

/// True if the conversion of products made this column for their identity.
bool is_added(const std::string& name, const std::string& said) {
  const auto is = [&](std::size_t part) {
    return name == kIdentityParts[part] || name == kOwnIdentityNames[part];
  };
  return ((is(0) || is(1)) && said == "uint32") || (is(2) && said == "uint64");
}

/// Returns the names that the file states, or the usual ones; none if a writer was complete and
/// found none.
std::vector<std::string> identity_in(const Json& said, bool is_unfinished,
                                     const std::vector<std::string>& columns) {
  const auto are_there = [&](const auto& names) {
    return std::ranges::all_of(
        names, [&](const auto& name) { return std::ranges::count(columns, name) != 0; });
  };
  if (said.is_array() && said.size() == 3 &&
      std::ranges::all_of(said, [](const Json& name) { return name.is_string(); }))
    if (auto names = said.get<std::vector<std::string>>(); are_there(names)) return names;
  if (!is_unfinished) return {};
  const auto found = std::ranges::find_if(kUsualIdentities, are_there);
  if (found == kUsualIdentities.end()) return {};
  return {found->begin(), found->end()};
}

// --- writing -----------------------------------------------------------------------------------

Json form_of_numbers(const ColumnNumbers& numbers, const std::string& key) {
  return {{"class", "NumpyArray"}, {"primitive", numbers.primitive}, {"form_key", key}};
}

/// Returns the form of numbers, or of records of numbers.
Json form_of_elements(const PlannedColumn& column, const StoredColumn& stored) {
  if (column.numbers.front().field.empty())
    return form_of_numbers(column.numbers.front(), stored.numbers.front());
  Json record{{"class", "RecordArray"}, {"fields", Json::array()}, {"contents", Json::array()}};
  for (std::size_t i = 0; i < column.numbers.size(); ++i) {
    record["fields"].push_back(column.numbers[i].field);
    record["contents"].push_back(form_of_numbers(column.numbers[i], stored.numbers[i]));
  }
  return record;
}

Json form_of_column(const PlannedColumn& column, const StoredColumn& stored) {
  Json content = form_of_elements(column, stored);
  if (stored.is_option)
    return {{"class", "IndexedOptionArray"},
            {"index", "i64"},
            {"content", std::move(content)},
            {"form_key", stored.places}};
  if (!column.has_offsets()) return content;
  const bool has_bytes = column.kind == PlannedColumn::Kind::bytes;
  if (has_bytes) content["parameters"] = {{"__array__", stored.is_text ? "char" : "byte"}};
  Json list{{"class", "ListOffsetArray"},
            {"offsets", "i64"},
            {"content", std::move(content)},
            {"form_key", stored.places}};
  if (has_bytes) list["parameters"] = {{"__array__", stored.is_text ? "string" : "bytestring"}};
  return list;
}

/// Sets a text of variable length, which other programs expect here.
void set_text(Group& group, const char* name, const std::string& text) {
  const Datatype type = Datatype::variable_string();
  NewValues values;
  const auto element = values.strings(type, std::span(&text, 1));
  group.set_attribute(name, type, Dataspace(), element, values);
}

}  // namespace

bool are_texts(Bytes bytes, const std::vector<std::uint64_t>& ends) {
  const auto is_within_character = [&](std::uint64_t end) {
    return end < bytes.size() &&
           (bytes[static_cast<std::size_t>(end)] & std::byte{0xC0}) == std::byte{0x80};
  };
  if (std::ranges::any_of(ends, is_within_character)) return false;
  try {
    static_cast<void>(
        Json(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())).dump());
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

bool has_columns(const Group& group) {
  return group.has_attribute("layout") && group.has_attribute("form") &&
         text_attribute(group, "layout") == kLayout;
}

GroupForm form_of(const Group& group) {
  if (const auto version = number_attribute(group, "layout-version"); version != kVersion)
    throw unsupported_error("{}: {}: layout-version {}; {} was expected", group.file().path(),
                            group.path(), version, kVersion);
  GroupForm found;
  const std::int64_t length = number_attribute(group, "length");
  if (length < 0) fail_format(group, "attribute length: {}", length);
  found.length = static_cast<std::uint64_t>(length);
  found.is_unfinished = group.has_attribute("unfinished");
  const Json form = json_of(group, "form", false);
  const Json about = json_of(group, "columns", true);
  const Json &fields = member(form, "fields"), &contents = member(form, "contents");
  if (!fields.is_array() || !contents.is_array() || fields.size() != contents.size())
    fail_format(group, "attribute form: is no record with a field for each column");
  std::vector<std::string> single;  // columns with one number for each event
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].is_string()) fail_format(group, "attribute form: field {}", i);
    const auto name = fields[i].get<std::string>();
    ColumnForm column{.product = {name, ""}};
    const std::string why =
        read_form(contents[i], text_in(member(about, name.c_str()), "class"), column);
    column.is_added = is_added(name, text_in(member(about, name.c_str()), "class"));
    if (!why.empty()) {
      found.left_out.push_back(fmt::format("{}: {}", name, why));
      continue;
    }
    if (column.kind == ColumnForm::Kind::fixed && column.letter != 'b' &&
        column.inner_shape.empty())
      single.push_back(name);
    found.columns.push_back(std::move(column));
  }
  found.identity = identity_in(json_of(group, "identity", true), found.is_unfinished, single);
  return found;
}

void require_names(const ColumnPlan& plan, const std::string& where) {
  for (const PlannedColumn& column : plan.columns) {
    try {
      Json names{column.product.name, column.product.class_name};
      for (const ColumnNumbers& numbers : column.numbers) names.push_back(numbers.field);
      static_cast<void>(names.dump());
    } catch (const Json::type_error&) {
      throw argument_error("{}: product {}: its name or class is no UTF-8, as columns need it",
                           where, column.product.name);
    }
  }
}

GroupTexts texts_of(const ColumnPlan& plan, const std::vector<StoredColumn>& stored) {
  Json form{{"class", "RecordArray"}, {"fields", Json::array()}, {"contents", Json::array()}};
  Json about = Json::object();
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const Product& product = plan.columns[c].product;
    form["fields"].push_back(product.name);
    form["contents"].push_back(form_of_column(plan.columns[c], stored[c]));
    if (!product.class_name.empty()) about[product.name] = {{"class", product.class_name}};
  }
  return {form.dump(), about.dump()};
}

void describe_columns(Group& group, const GroupTexts& texts) {
  set_text(group, "encoding-type", "awkward-array");
  set_text(group, "encoding-version", "0.1.0");
  set_text(group, "layout", kLayout);
  group.set_attribute("layout-version", kVersion);
  set_text(group, "form", texts.form);
  set_text(group, "columns", texts.columns);
}

void set_length(Group& group, std::uint64_t events, bool is_unfinished) {
  group.set_attribute("length", static_cast<std::int64_t>(events));
  if (is_unfinished)
    group.set_attribute("unfinished", std::int64_t{1});
  else if (group.has_attribute("unfinished"))
    group.remove_attribute("unfinished");
}

void set_identity(Group& group, const std::vector<std::string>& names) {
  set_text(group, "identity", Json(names).dump());
}

}  // namespace onecast::events::hdf5
