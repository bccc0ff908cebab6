#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "api/array_family.hpp"
#include "api/single_nodes.hpp"
#include "elements/section.hpp"
#include "grammar/names.hpp"
#include "rules/extents.hpp"
#include "rules/node_rules.hpp"

/// Rules that compare values with each other: sizes, numbers, points.
namespace onecast::cgns {

namespace {

constexpr float kFirstVersion = 1.05F;
constexpr std::size_t kLongestGeometryFormat = 32;
constexpr std::array kPointSets{"PointRange", "PointList", "ElementRange", "ElementList"};
constexpr std::array kDonors{"PointListDonor", "CellListDonor"};

std::string range_of(const Section& section) {
  return words(section.first(), "..", section.last());
}

/// Returns the names among `names` that children of the node have.
template <class Names>
std::vector<std::string> children_among(const Names& names, Node& node) {
  std::vector<std::string> found;
  for (const char* name : names)
    if (node.find(name) != nullptr) found.emplace_back(name);
  return found;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// True if no index of the first point is above that of the last point.
bool ascends(Node& range) {
  const auto indices = read_numbers<std::int64_t>(range);
  const auto half = std::span(indices).first(indices.size() / 2);
  return std::ranges::equal(half, std::span(indices).subspan(half.size()), std::less_equal{});
}

/// Returns the location of the arrays of a node. In a zone of surfaces, faces are the cells; in a
/// zone of lines, edges are.
GridLocation_t location_of_arrays(Node& node) {
  Node* where = single(node, Label::GridLocation);
  if (where == nullptr) return Vertex;
  const auto location = read_enum<GridLocation_t>(*where, GridLocationName);
  if (location != FaceCenter && location != EdgeCenter) return location;
  return cell_dimension(base_of(node)) == (location == FaceCenter ? 2 : 1) ? CellCenter : location;
}

/// Returns the extents of the arrays in a node; absent if no node determines them.
std::optional<Dims> extents_of_arrays(Node& node) {
  if (node.label() != Label::GridCoordinates && !children_among(kPointSets, node).empty()) {
    const auto points = points_of(node);
    return points ? std::optional(Dims{*points}) : std::nullopt;
  }
  if (node.label() == Label::ParticleSolution) {
    const auto particles = extent_of("particles", node);
    return particles ? std::optional(Dims{*particles}) : std::nullopt;
  }
  Node* zone = node.parent();
  if (zone->label() != Label::Zone) return {};
  const GridLocation_t location = location_of_arrays(node);
  if (location == FaceCenter || location == EdgeCenter) return {};
  return with_rind(dims_at(*zone, location), rind_of(node));
}

}  // namespace

void Rules::check_contents() {
  switch (node_.label()) {
    case Label::CGNSBase:
      return attempt([&] { check_base(); });
    case Label::Zone:
      attempt([&] { check_zone(); });
      return attempt([&] { check_sections(); });
    case Label::ParticleZone:
      return attempt([&] { check_particles(); });
    case Label::Elements:
      return attempt([&] { check_section(); });
    case Label::GridCoordinates:
    case Label::FlowSolution:
    case Label::DiscreteData:
    case Label::ArbitraryGridMotion:
    case Label::ParticleSolution:
      attempt([&] { check_points(); });
      return attempt([&] { check_extents(); });
    case Label::BCData:
      return attempt([&] { check_boundary_data(); });
    case Label::BaseIterativeData:
      return attempt([&] { check_steps(); });
    case Label::IntPerIndex:
      return attempt([&] { check_transform(); });
    case Label::Axisymmetry:
      return attempt([&] { check_axisymmetry(); });
    case Label::AdditionalExponents:
      return attempt([&] { check_additional_exponents(); });
    case Label::GeometryFormat:
      return attempt([&] { check_geometry_format(); });
    default:
      attempt([&] { check_points(); });
  }
}

void Rules::check_version() {
  const float version = node_.tree().version();
  if (version >= kFirstVersion) return;
  std::string number = std::to_string(version);
  number.erase(number.find('.') + 3);
  found_.push_back({node_.children(Label::CGNSLibraryVersion).front()->path(),
                    "the version " + number + " is before 1.05, the first"});
}

void Rules::check_base() {
  constexpr std::array<const char*, 2> kNames{"cell", "physical"};
  const auto numbers = read_numbers<std::int32_t>(node_, kNames.size());
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (numbers[i] < 1 || numbers[i] > 3)
      add(words("the ", kNames[i], " dimension ", numbers[i], " is not 1 to 3"));
}

void Rules::check_zone() {
  const auto dimensions = static_cast<std::size_t>(index_dimension(node_));
  const auto sizes = read_numbers<std::int64_t>(node_, 3 * dimensions);
  Node* type = node_.find("ZoneType");
  const bool is_structured = type != nullptr && trimmed(read_text(*type)) == "Structured";
  for (std::size_t i = 0; is_structured && i < dimensions; ++i)
    if (sizes[i] != sizes[i + dimensions] + 1)
      add(words("of ", sizes[i], " vertices in dimension ", i + 1, " there are ",
                sizes[i + dimensions], " cells, not one less"));
  const auto vertices = std::span(sizes).first(dimensions);
  const auto boundary = std::span(sizes).last(dimensions);
  if (is_structured && std::ranges::min(vertices) < 1)
    add("a dimension has no vertices");
  else if (std::ranges::min(sizes) < 0)
    add("a size of the zone is below 0");
  else if (!is_structured && boundary.front() > vertices.front())
    add(words("of ", vertices.front(), " vertices ", boundary.front(), " are at the boundary"));
  for (Node* section : node_.children(Label::Elements))
    if (is_structured) found_.push_back({section->path(), "Elements_t in a structured zone"});
  if (type != nullptr && !is_structured && trimmed(read_text(*type)) != "Unstructured")
    add("ZoneType is neither Structured nor Unstructured");
}

void Rules::check_particles() {
  const std::int64_t particles = read_numbers<std::int64_t>(node_, 1).front();
  if (particles < 0) add(words("the number of particles ", particles, " is below 0"));
}

/// Checks that each element has a number of its own in the zone.
void Rules::check_sections() {
  std::vector<Section> sections;
  for (Node* node : node_.children(Label::Elements)) {
    try {
      sections.emplace_back(*node);
    } catch (const Failure&) {  // NOLINT(bugprone-empty-catch): the section's own rule reports it
    }
  }
  std::ranges::sort(sections, {}, [](const Section& section) {
    return std::pair(section.first(), section.node().name());
  });
  const Section* furthest = nullptr;
  for (const Section& section : sections) {
    if (furthest != nullptr && section.first() <= furthest->last())
      found_.push_back(
          {section.node().path(), "elements " + range_of(section) + " overlap those of " + "'" +
                                      furthest->node().name() + "', " + range_of(*furthest)});
    if (furthest == nullptr || section.last() > furthest->last()) furthest = &section;
  }
}

/// Checks that the arrays are as long as the range and the type of the elements require.
void Rules::check_section() {
  const Section section(node_);
  const std::uint64_t count = section.count();
  if (section.is_fixed_size() || has_offsets(section.type()))
    static_cast<void>(section.entries_of({count - 1, count}));
}

/// Checks that there is one value for all points of the boundary condition or data set, or one for
/// each.
void Rules::check_boundary_data() {
  Node* data_set = node_.parent();
  auto points = points_of(*data_set);
  if (!points && data_set->parent()->label() == Label::BC) points = points_of(*data_set->parent());
  if (!points) return;
  for (Node* array : node_.children(Label::DataArray)) {
    const Dims dims = array->dims();
    if (dims.size() != 1 || (dims[0] != 1 && dims[0] != *points))
      found_.push_back(
          {array->path(), words("the dimensions ", text_of(dims), " are neither 1 nor ", *points,
                                ", as many as points")});
  }
}

void Rules::check_extents() {
  const auto expected = extents_of_arrays(node_);
  if (!expected) return;
  if (Node* range = node_.find("PointRange", Label::IndexRange); range && !ascends(*range))
    found_.push_back({range->path(), "the points of arrays do not ascend from first to last"});
  for (Node* array : node_.children(Label::DataArray))
    if (array->dims() != *expected)
      found_.push_back(
          {array->path(), "the dimensions " + text_of(array->dims()) +
                              " are not those of the zone there: " + text_of(*expected)});
}

/// Checks that points are given at most once, and that they are given if the node requires them.
void Rules::check_points() {
  const Label label = node_.label();
  if (label == Label::Elements) return;
  const auto points = children_among(kPointSets, node_);
  if (points.size() > 1) add("more than one set of points: " + listed(points));
  if (const auto donors = children_among(kDonors, node_); donors.size() > 1)
    add("more than one set of points: " + listed(donors));
  if (label == Label::OversetHoles && !node_.children(Label::IndexArray).empty() &&
      !node_.children(Label::IndexRange).empty())
    add("ranges of points beside a PointList");
  const bool has_region =
      node_.find("BCRegionName") != nullptr || node_.find("GridConnectivityRegionName") != nullptr;
  if (!points.empty() || has_region) return;
  if (label == Label::BC || label == Label::GridConnectivity)
    add("no child of these: PointList, PointRange");
  if (label == Label::ZoneSubRegion)
    add("no child of these: PointList, PointRange, BCRegionName, GridConnectivityRegionName");
}

/// Checks that steps have times or numbers, and the counts of zones and families of each step.
void Rules::check_steps() {
  const std::int32_t steps = read_numbers<std::int32_t>(node_, 1).front();
  if (steps < 0) add(words("the number of steps ", steps, " is below 0"));
  if (steps <= 0 || node_.children(Label::DataArray).empty()) return;
  if (node_.find("TimeValues") == nullptr && node_.find("IterationValues") == nullptr)
    add("no child of these: TimeValues, IterationValues");
  constexpr std::array<std::pair<const char*, const char*>, 2> kCounts{
      {{"ZonePointers", "NumberOfZones"}, {"FamilyPointers", "NumberOfFamilies"}}};
  for (const auto& [pointers, counts] : kCounts)
    if (Node* node = node_.find(pointers); node != nullptr && node_.find(counts) == nullptr)
      found_.push_back({node->path(), std::string(pointers) + " without " + counts});
}

void Rules::check_transform() {
  if (node_.name() != "Transform") return;
  const std::int64_t last = index_dimension_at(node_);
  for (const std::int64_t number : read_numbers<std::int64_t>(node_))
    if (number < -last || number > last)
      add(words("the number ", number, " is no index of a zone with ", last, " index dimensions"));
}

void Rules::check_axisymmetry() {
  const auto physical = extent_of("phys_dim", node_);
  if (physical && *physical != 2)
    add(words("Axisymmetry_t in a base of ", *physical, " physical dimensions, not 2"));
}

void Rules::check_additional_exponents() {
  const ValueType first = node_.parent()->type();
  if (node_.type() != first)
    add("the type " + std::string(text_of(node_.type())) + " is not " +
        std::string(text_of(first)) + ", as that of the other exponents");
}

void Rules::check_geometry_format() {
  const std::size_t length = read_text(node_).size();
  if (length > kLongestGeometryFormat)
    add(words("the format has ", length, " characters, not 1 to 32"));
}

}  // namespace onecast::cgns
