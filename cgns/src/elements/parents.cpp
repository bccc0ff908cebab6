#include "elements/parents.hpp"

namespace onecast::cgns {

namespace {

constexpr const char* kParents = "ParentElements";
constexpr const char* kPositions = "ParentElementsPosition";
/// The array that held both parts before version 3.1.
constexpr const char* kParentData = "ParentData";

Node* parent_data(const Section& section) {
  return section.node().find(kParentData, Label::DataArray);
}

void require_shape(Node& array, const Section& section, std::uint64_t columns) {
  if (array.dims() != Dims{section.count(), columns})
    throw failure(array.path(), " does not have the dimensions ", section.count(), " x ", columns);
}

}  // namespace

const char* name_of(ParentPart part) {
  return part == ParentPart::elements ? kParents : kPositions;
}

bool has_parents(const Section& section) {
  return parent_data(section) != nullptr ||
         (section.node().find(kParents) != nullptr && section.node().find(kPositions) != nullptr);
}

ParentPlace parents_of(const Section& section, Interval elements, ParentPart part) {
  if (Node* both = parent_data(section)) {
    require_shape(*both, section, 4);
    const std::uint64_t column = part == ParentPart::elements ? 0 : 2;
    return {*both, {{elements.begin, column}, {elements.end, column + 2}}};
  }
  Node& array = required(section.node(), name_of(part), Label::DataArray);
  require_shape(array, section, 2);
  return {array, {{elements.begin, 0}, {elements.end, 2}}};
}

void read_all_parents(const Section& section, Interval elements, cgsize_t* out) {
  if (out == nullptr || !has_parents(section)) return;
  for (const ParentPart part : kParentParts) {
    const auto [array, box] = parents_of(section, elements, part);
    read_integers(array, box, kSizeType, out);
    out += 2 * elements.size();
  }
}

void write_parents(const Section& section, const cgsize_t* numbers) {
  Node& node = section.node();
  Tree& tree = node.tree();
  if (Node* old = parent_data(section)) tree.remove(*old);
  const std::uint64_t half = 2 * section.count();
  for (const ParentPart part : kParentParts) {
    tree.create(node, name_of(part), Label::DataArray,
                Value::numbers(std::span(numbers, half), {section.count(), 2}));
    numbers += half;
  }
}

bool has_shape_of_parents(Node& array, const Section& section) {
  return array.dims() == Dims{section.count(), 2};
}

void split_parent_data(const Section& section) {
  if (parent_data(section) == nullptr) return;
  std::vector<cgsize_t> both(4 * section.count());
  read_all_parents(section, section.all(), both.data());
  write_parents(section, both.data());
}

}  // namespace onecast::cgns
