#include "rules/node_rules.hpp"

#include <algorithm>

#include "api/enum_names.hpp"
#include "grammar/names.hpp"
#include "onecast/base/error.hpp"
#include "rules/extents.hpp"
#include "tree/values.hpp"

namespace onecast::cgns {

namespace {

constexpr std::size_t kLongestFileOfLink = 512;  // the longest name that the CGNS library reads

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

bool is_among(std::string_view word, const std::vector<std::string_view>& all) {
  return std::ranges::find(all, word) != all.end();
}

/// Returns a text such as "I4, I8 or R4".
std::string one_of(std::string_view text) {
  const auto all = words(text);
  std::string listed;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) listed += i + 1 == all.size() ? " or " : ", ";
    listed += all[i];
  }
  return listed;
}

}  // namespace

void Rules::add(const std::string& rule) {
  const std::string path = node_.path();
  const bool repeats = rule.starts_with(path + ": ");
  found_.push_back({path, repeats ? rule.substr(path.size() + 2) : rule});
}

void Rules::attempt(const std::function<void()>& rule) {
  try {
    rule();
  } catch (const Failure& failure) {
    add_failure(failure.what());
  } catch (const Error& error) {
    add_failure(error.what());
  }
}

void Rules::add_failure(const std::string& what) {
  Node* parent = node_.parent();
  if (parent != nullptr && std::ranges::find(parent->damage(), what) != parent->damage().end())
    return;
  add(what);
}

void Rules::check_attribute(std::string_view name, std::size_t size) {
  const auto attribute = node_.own_group().find_attribute(name);
  if (!attribute) {
    add("attribute " + quoted(name) + " is missing");
  } else if (attribute->datatype().type_class() != TypeClass::string ||
             attribute->datatype().size() != size) {
    add(words("attribute ", quoted(name), " is no text of ", size, " bytes"));
  } else if (name == "name" && node_.parent() != nullptr &&
             text_attribute(node_.own_group(), name) != node_.name()) {
    add("attribute 'name' is " + quoted(text_attribute(node_.own_group(), name)) +
        ", not the name of the node");
  }
}

void Rules::check_stored_form() {
  if (node_.name().size() > kLongestName)
    add(words("the name has ", node_.name().size(), " characters, not 1 to 32"));
  attempt([&] {
    check_attribute("name", kLongestName + 1);
    check_attribute("label", kLongestName + 1);
    check_attribute("type", 3);
  });
  if (node_.is_link()) attempt([&] { check_link(); });
}

void Rules::check_link() {
  const LinkTarget target = target_of(node_.own_group());
  if (target.file.size() > kLongestFileOfLink)
    add(words("the name of the linked file has ", target.file.size(), " characters, not 1 to 512"));
  static_cast<void>(node_.group());
  check_place();
}

void Rules::check_grammar() {
  if (node_.parent() == nullptr) return check_root();
  attempt([&] { check_place(); });
  if (node_.label() == Label::other) return;
  attempt([&] { check_children(); });
  attempt([&] { check_type(); });
  attempt([&] { check_dimensions(); });
  attempt([&] { check_text(); });
  check_contents();
}

void Rules::check_root() {
  if (node_.children(Label::CGNSLibraryVersion).empty())
    add("no child CGNSLibraryVersion, which says the version");
  attempt([&] { check_version(); });
  if (node_.children(Label::CGNSBase).empty()) add("no child of label CGNSBase_t");
}

void Rules::check_place() {
  if (node_.label() == Label::other) {
    add("the label " + quoted(node_.label_text()) + " is none of CGNS");
    return;
  }
  const Node& parent = *node_.parent();
  if (parent.parent() == nullptr) {
    if (node_.label() != Label::CGNSBase && node_.label() != Label::CGNSLibraryVersion)
      add("no " + node_.label_text() + " stands below the root");
    return;
  }
  if (parent.label() == Label::other) return;
  if (child_row(parent.label(), node_.label(), node_.name()) != nullptr) return;
  const auto* other_name = child_row(parent.label(), node_.label());
  if (other_name != nullptr)
    add("a " + node_.label_text() + " below " + parent.label_text() + " has the name " +
        quoted(other_name->name));
  else
    add("no " + node_.label_text() + " stands below " + parent.label_text());
}

void Rules::check_children() {
  const auto& row = row_of(node_.label());
  for (const auto& child : row.children)
    if (!child.many && child.name.empty() && node_.children(child.label).size() > 1)
      add("more than one child of label " + std::string(text_of(child.label)));
  std::string missing;
  const auto demand = [&](std::string_view name) {
    if (node_.find(name) == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
  // The rule for points checks that one of the alternatives is present.
  for (const auto& child : row.children)
    if (child.required && !row.alternatives) demand(child.name);
  for (const HeldRow& held : row.holds)
    if (held.required) demand(held.name);
  if (!missing.empty()) add("missing children: " + missing);
}

const HeldRow* Rules::held() const {
  const HeldRow* of_any = nullptr;
  for (const HeldRow& row : row_of(node_.parent()->label()).holds) {
    if (row.name == node_.name()) return &row;
    if (row.name.empty() && node_.label() == Label::DataArray) of_any = &row;
  }
  return of_any;
}

std::string_view Rules::types() const {
  const HeldRow* row = held();
  if (row != nullptr && !row->types.empty()) return row->types;
  // The label IndexArray also allows vectors of real numbers, which have rows of their own.
  return node_.label() == Label::IndexArray ? "I4 I8" : row_of(node_.label()).types;
}

void Rules::check_type() {
  const auto allowed = types();
  const std::string_view type = text_of(node_.type());
  if (!is_among(type, words(allowed)))
    add("the type " + std::string(type) + " is not " + one_of(allowed));
  const auto data = node_.data();
  if (data.has_value() != (node_.type() != ValueType::MT))
    add(data ? "a node of type MT has a value" : "the value is missing");
}

void Rules::check_dimensions() {
  const auto data = node_.data();
  if (!data) return;
  if (data->element_count() == 0) return add("the value is empty: each dimension is at least 1");
  const std::size_t rank = data->shape().size();
  if (rank < 1 || rank > kMostDimensions)
    return add(words("the value has ", rank, " dimensions, not 1 to ", kMostDimensions));
  const Dims dims = node_.dims();
  const HeldRow* row = held();
  const bool is_held = row != nullptr && !row->dimensions.empty();
  const auto expected = words(is_held ? row->dimensions : row_of(node_.label()).dimensions);
  if (expected.empty() || expected.front() == "any") return;
  bool fits = dims.size() == expected.size();
  for (std::size_t i = 0; fits && i < dims.size(); ++i)
    fits = dims[i] == extent_of(expected[i], node_).value_or(dims[i]);
  if (!fits)
    add("the dimensions " + text_of(dims) + " are not " + text_of_expected(expected, node_));
}

void Rules::check_text() {
  const std::string_view name = row_of(node_.label()).value;
  const auto names = names_of_enum(name);
  const HeldRow* row = held();
  const bool is_held = row != nullptr && !row->of.empty();
  const auto allowed = words(is_held ? row->of : row_of(node_.label()).of);
  if (names.empty() || node_.type() != ValueType::C1 || !node_.data()) return;
  const std::string text(trimmed(read_text(node_)));
  if (std::ranges::none_of(names, [&](const char* value) { return text == value; }))
    add(quoted(text) + " is no value of " + std::string(name));
  else if (is_held && !is_among(text, allowed))
    add(quoted(text) + " is no " + std::string(name) + " of a " + node_.parent()->label_text());
  else if (!allowed.empty() && text != names[0] && text != names[1] && !is_among(text, allowed))
    add(quoted(text) + " is not among the values of " + std::string(name) + " for this label");
}

}  // namespace onecast::cgns
