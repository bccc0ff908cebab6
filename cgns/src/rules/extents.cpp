#include "rules/extents.hpp"

#include <algorithm>
#include <array>

#include "api/point_sets.hpp"
#include "api/single_nodes.hpp"
#include "elements/section.hpp"
#include "grammar/names.hpp"

namespace onecast::cgns {

namespace {

using Extent = std::optional<std::uint64_t>;

/// True if the indices in a node are those of its zone, not numbers of elements or indices of
/// another zone.
bool has_indices_of_zone(const Node& node) {
  return node.parent()->label() != Label::Elements && !node.name().ends_with("Donor");
}

Extent index_dimension_of_new(Node& zone) {
  Node* type = zone.find("ZoneType");
  const bool is_structured = type == nullptr || trimmed(read_text(*type)) == "Structured";
  return is_structured ? static_cast<std::uint64_t>(cell_dimension(*zone.parent())) : 1;
}

Extent index_dimensions(Node& node) {
  if (node.label() == Label::Zone) return index_dimension_of_new(node);
  if (!has_indices(node) || !has_indices_of_zone(node)) return {};
  return static_cast<std::uint64_t>(index_dimension_at(node));
}

Extent physical_dimensions(Node& node) {
  Node* base = nearest(node, Label::CGNSBase);
  if (base == nullptr) return {};
  return static_cast<std::uint64_t>(physical_dimension(*base));
}

/// Returns the largest of a node's numbers; absent if it is negative.
Extent largest(Node* node) {
  if (node == nullptr) return {};
  const auto numbers = read_numbers<std::int64_t>(*node);
  if (numbers.empty() || std::ranges::max(numbers) < 0) return {};
  return static_cast<std::uint64_t>(std::ranges::max(numbers));
}

Extent steps(Node& node) {
  Node* base = nearest(node, Label::CGNSBase);
  return largest(base == nullptr ? nullptr : single(*base, Label::BaseIterativeData));
}

Extent number_beside(std::string_view name, Node& node) {
  Node* numbers = node.parent()->find(name, Label::DataArray);
  return numbers == nullptr ? Extent() : largest(numbers).value_or(0);
}

/// A word of the table, its name in the SIDS, and the function that returns its number.
struct Word {
  std::string_view word;
  std::string_view name;
  Extent (*number)(Node&);
};
constexpr std::array<Word, 10> kWords{
    {{"n", "n", nullptr},
     {"phys_dim", "PhysicalDimension", physical_dimensions},
     {"index_dim", "IndexDimension", index_dimensions},
     {"2*index_dim", "2 IndexDimension",
      [](Node& node) -> Extent {
        const Extent dimensions = index_dimensions(node);
        return dimensions ? 2 * *dimensions : dimensions;
      }},
     {"steps", "NumberOfSteps", steps},
     {"zones", "the most of NumberOfZones",
      [](Node& node) { return number_beside("NumberOfZones", node); }},
     {"families", "the most of NumberOfFamilies",
      [](Node& node) { return number_beside("NumberOfFamilies", node); }},
     {"elements", "elements", [](Node& node) -> Extent { return Section(*node.parent()).count(); }},
     {"points", "points", [](Node& node) { return points_of(*node.parent()); }},
     {"particles", "particles",
      [](Node& node) -> Extent { return largest(nearest(node, Label::ParticleZone)); }}}};

const Word* word_of(std::string_view text) {
  const auto* const found = std::ranges::find(kWords, text, &Word::word);
  return found == kWords.end() ? nullptr : found;
}

void append(std::string& text, std::string_view extent) {
  text += text.empty() ? "" : " x ";
  text += extent;
}

}  // namespace

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    if (!word.empty()) found.push_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return found;
}

std::optional<std::uint64_t> extent_of(std::string_view word, Node& node) {
  const Word* known = word_of(word);
  if (known == nullptr) return std::stoull(std::string(word));
  if (known->number == nullptr) return {};
  return if_sound([&] { return known->number(node); });
}

std::optional<std::uint64_t> points_of(Node& node) {
  return if_sound([&]() -> Extent {
    if (!has_indices(node)) return {};
    const auto points = point_set_of(node, index_dimension_at(node));
    return points ? Extent(points->size) : Extent();
  });
}

std::string text_of(const Dims& dims) {
  std::string text;
  for (const std::uint64_t extent : dims) append(text, std::to_string(extent));
  return text.empty() ? "none" : text;
}

std::string text_of_expected(const std::vector<std::string_view>& dimensions, Node& node) {
  std::string numbers;
  std::string names;
  for (const std::string_view word : dimensions) {
    const Word* known = word_of(word);
    const auto name = known == nullptr ? word : known->name;
    const auto extent = extent_of(word, node);
    append(numbers, extent ? std::to_string(*extent) : std::string(name));
    append(names, name);
  }
  return numbers == names ? numbers : numbers + " (" + names + ")";
}

}  // namespace onecast::cgns
