#include "rules/node_rules.hpp"

#include <algorithm>

#include "api/array_family.hpp"
#include "api/enum_names.hpp"
#include "api/point_sets.hpp"
#include "elements/section.hpp"
#include "onecast/base/error.hpp"

namespace onecast::cgns {

namespace {

constexpr std::size_t kLongestFileOfLink = 512;  // what the CGNS library reads

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// The words of a text with blanks between.
std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    if (!word.empty()) found.push_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return found;
}

bool is_among(std::string_view word, const std::vector<std::string_view>& all) {
  return std::ranges::find(all, word) != all.end();
}

/// The node of that label in or around which a node lies; null if there is none.
Node* around(Node& node, Label label) {
  for (Node* above = &node; above != nullptr; above = above->parent())
    if (above->label() == label) return above;
  return nullptr;
}

/// Whether the indices in a node are those of the zone around it: not numbers of elements, indices
/// of another zone, or vectors.
bool has_indices_of_zone(const Node& node) {
  return node.parent()->label() != Label::Elements && !node.name().ends_with("Donor") &&
         node.name() != "InwardNormalList";
}

/// The extent that a word of the table stands for; absent: any, or there is nothing that says it.
std::optional<std::uint64_t> extent_of(std::string_view word, Node& node) {
  if (word == "n" || word == "any") return {};
  if (word == "phys_dim") {
    Node* base = around(node, Label::CGNSBase);
    if (base == nullptr) return {};
    return static_cast<std::uint64_t>(physical_dimension(*base));
  }
  if (word == "steps") {
    Node* base = around(node, Label::CGNSBase);
    Node* steps = base == nullptr ? nullptr : single(*base, Label::BaseIterativeData);
    if (steps == nullptr) return {};
    return static_cast<std::uint64_t>(read_numbers<std::int32_t>(*steps, 1)[0]);
  }
  if (word.ends_with("index_dim")) {
    Node* zone = node.label() == Label::Zone ? nullptr : around(node, Label::Zone);
    if (zone == nullptr || !has_indices_of_zone(node)) return {};
    return (word.starts_with("2*") ? 2U : 1U) * static_cast<std::uint64_t>(index_dimension(*zone));
  }
  return std::stoull(std::string(word));
}

std::string text_of(const Dims& dims) {
  std::string text;
  for (const std::uint64_t extent : dims)
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text.empty() ? "none" : text;
}

std::string range_of(const Section& section) {
  return std::to_string(section.first()) + ".." + std::to_string(section.last());
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
    add("attribute " + quoted(name) + " is no text of " + std::to_string(size) + " bytes");
  } else if (name == "name" && node_.parent() != nullptr &&
             text_attribute(node_.own_group(), name) != node_.name()) {
    add("attribute 'name' is " + quoted(text_attribute(node_.own_group(), name)) +
        ", not the name of the node");
  }
}

void Rules::check_stored_form() {
  if (node_.name().size() > kLongestName)
    add("the name has " + std::to_string(node_.name().size()) + " characters, not 1 to 32");
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
    add("the name of the linked file has " + std::to_string(target.file.size()) +
        " characters, not 1 to 512");
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
  attempt([&] { check_zone(); });
  attempt([&] { check_sections(); });
  attempt([&] { check_section(); });
  attempt([&] { check_extents(); });
  attempt([&] { check_boundary_data(); });
}

void Rules::check_root() {
  if (node_.children(Label::CGNSLibraryVersion).empty())
    add("no child CGNSLibraryVersion, which says the version");
  attempt([&] { static_cast<void>(node_.tree().version()); });
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
  std::string missing;
  // Also under a name of its own, as ranges of overset holes.
  bool has_one = !node_.children(Label::IndexRange).empty();
  for (const auto& child : row.children) {
    if (!child.many && child.name.empty() && node_.children(child.label).size() > 1)
      add("more than one child of label " + std::string(text_of(child.label)));
    if (!child.required) continue;
    if (node_.find(child.name) != nullptr)
      has_one = true;
    else
      missing += (missing.empty() ? "" : ", ") + std::string(child.name);
  }
  if (row.alternatives && !has_one)
    add("no child of these: " + missing);
  else if (!row.alternatives && !missing.empty())
    add("missing children: " + missing);
}

void Rules::check_type() {
  const auto allowed = words(row_of(node_.label()).types);
  const std::string_view type = text_of(node_.type());
  if (!is_among(type, allowed))
    add("the type " + std::string(type) + " is not " + std::string(row_of(node_.label()).types));
  const bool has_value = node_.data().has_value();
  if (has_value != (node_.type() != ValueType::MT))
    add(has_value ? "a node of type MT has a value" : "the value is missing");
}

/// Those of its label, or of its name.
std::string_view Rules::dimensions() const {
  for (const ShapeRow& shape : row_of(node_.parent()->label()).shapes)
    if (shape.name == node_.name() && node_.label() == Label::DataArray) return shape.dimensions;
  return row_of(node_.label()).dimensions;
}

void Rules::check_dimensions() {
  const auto expected = words(dimensions());
  if (expected.empty() || expected.front() == "any" || !node_.data()) return;
  Dims dims = node_.dims();
  // The range of a section: two numbers.
  if (node_.parent()->label() == Label::Elements && dims.size() + 1 == expected.size())
    dims.insert(dims.begin(), 1);
  bool fits = dims.size() == expected.size();
  for (std::size_t i = 0; fits && i < dims.size(); ++i)
    fits = dims[i] == extent_of(expected[i], node_).value_or(dims[i]);
  if (!fits) add("the dimensions " + text_of(dims) + " are not " + std::string(dimensions()));
}

void Rules::check_text() {
  const std::string_view name = row_of(node_.label()).value;
  const auto names = names_of_enum(name);
  const auto allowed = words(row_of(node_.label()).of);
  if (names.empty() || node_.type() != ValueType::C1 || !node_.data()) return;
  const std::string text(trimmed(read_text(node_)));
  if (std::ranges::none_of(names, [&](const char* value) { return text == value; }))
    add(quoted(text) + " is no value of " + std::string(name));
  else if (!allowed.empty() && text != names[0] && text != names[1] && !is_among(text, allowed))
    add(quoted(text) + " is not among the values of " + std::string(name) + " for this label");
}

void Rules::check_zone() {
  if (node_.label() != Label::Zone) return;
  const auto dimensions = static_cast<std::size_t>(index_dimension(node_));
  const auto sizes = read_numbers<std::int64_t>(node_, 3 * dimensions);
  Node* type = node_.find("ZoneType");
  const bool is_structured = type != nullptr && trimmed(read_text(*type)) == "Structured";
  for (std::size_t i = 0; is_structured && i < dimensions; ++i)
    if (sizes[i] != sizes[i + dimensions] + 1)
      add("of " + std::to_string(sizes[i]) + " vertices in dimension " + std::to_string(i + 1) +
          " there are " + std::to_string(sizes[i + dimensions]) + " cells, not one less");
  for (Node* section : node_.children(Label::Elements))
    if (is_structured) found_.push_back({section->path(), "Elements_t in a structured zone"});
  if (type != nullptr && !is_structured && trimmed(read_text(*type)) != "Unstructured")
    add("ZoneType is neither Structured nor Unstructured");
}

/// Each element has a number of its own in the zone.
void Rules::check_sections() {
  if (node_.label() != Label::Zone) return;
  std::vector<Section> sections;
  for (Node* node : node_.children(Label::Elements)) {
    try {
      sections.emplace_back(*node);
    } catch (const Failure&) {  // NOLINT(bugprone-empty-catch): the section's own rule tells
    }
  }
  std::ranges::sort(sections, {}, [](const Section& section) {
    return std::pair(section.first(), section.node().name());
  });
  const Section* furthest = nullptr;
  for (const Section& section : sections) {
    if (furthest != nullptr && section.first() <= furthest->last())
      found_.push_back({section.node().path(),
                        "elements " + range_of(section) + " overlap those of " +
                            quoted(furthest->node().name()) + ", " + range_of(*furthest)});
    if (furthest == nullptr || section.last() > furthest->last()) furthest = &section;
  }
}

/// The arrays are as long as the range and the type of the elements say.
void Rules::check_section() {
  if (node_.label() != Label::Elements) return;
  const Section section(node_);
  const std::uint64_t count = section.count();
  if (section.is_fixed_size() || has_offsets(section.type()))
    static_cast<void>(section.entries_of({count - 1, count}));
}

/// A value for all points of the boundary condition or data set, or one for each.
void Rules::check_boundary_data() {
  Node* data_set = node_.parent();
  Node* zone = around(node_, Label::Zone);
  if (node_.label() != Label::BCData || zone == nullptr) return;
  const int dimensions = index_dimension(*zone);
  auto points = point_set_of(*data_set, dimensions);
  if (!points && data_set->parent()->label() == Label::BC)
    points = point_set_of(*data_set->parent(), dimensions);
  if (!points) return;
  for (Node* array : node_.children(Label::DataArray)) {
    const Dims dims = array->dims();
    if (dims.size() != 1 || (dims[0] != 1 && dims[0] != points->size))
      found_.push_back({array->path(), "the dimensions " + text_of(dims) + " are neither 1 nor " +
                                           std::to_string(points->size) + ", as many as points"});
  }
}

void Rules::check_extents() {
  const Label label = node_.label();
  const bool at_vertices = label == Label::GridCoordinates;
  if (!at_vertices && label != Label::FlowSolution && label != Label::DiscreteData) return;
  Node* zone = node_.parent();
  // A list or range of points says the extents otherwise.
  if (zone->label() != Label::Zone || node_.find("PointList") || node_.find("PointRange")) return;
  GridLocation_t location = Vertex;
  if (Node* where = single(node_, Label::GridLocation))
    location = read_enum<GridLocation_t>(*where, GridLocationName);
  if (location == FaceCenter || location == EdgeCenter) return;
  const Dims expected = with_rind(dims_at(*zone, location), rind_of(node_));
  for (Node* array : node_.children(Label::DataArray))
    if (array->dims() != expected)
      found_.push_back(
          {array->path(), "the dimensions " + text_of(array->dims()) +
                              " are not those of the zone there: " + text_of(expected)});
}

}  // namespace onecast::cgns
