#include "api/parents.hpp"

namespace onecast::cgns {

namespace {

/// Both parts in one array, as before version 3.1.
constexpr const char* kParentData = "ParentData";

Node* parent_data(const Section& section) {
  return section.node().find(kParentData, Label::DataArray);
}

void require_shape(Node& array, const Section& section, std::uint64_t columns) {
  if (array.dims() != Dims{section.count(), columns})
    throw Failure(array.path() + " does not have the dimensions " +
                  std::to_string(section.count()) + " x " + std::to_string(columns));
}

}  // namespace

const char* name_of(ParentPart part) {
  return part == ParentPart::elements ? kParents : kPositions;
}

Box parent_box(Interval elements) { return {{elements.begin, 0}, {elements.end, 2}}; }

bool has_parents(const Section& section) {
  return parent_data(section) != nullptr ||
         (section.node().find(kParents) != nullptr && section.node().find(kPositions) != nullptr);
}

void read_parents(const Section& section, Interval elements, ParentPart part, ValueType type,
                  void* out) {
  Box box = parent_box(elements);
  if (Node* old = parent_data(section)) {
    require_shape(*old, section, 4);
    if (part == ParentPart::positions) box.start[1] = 2, box.end[1] = 4;
    return read_integers(*old, box, type, out);
  }
  Node& array = required(section.node(), name_of(part), Label::DataArray);
  require_shape(array, section, 2);
  read_integers(array, box, type, out);
}

void read_all_parents(const Section& section, Interval elements, cgsize_t* out) {
  if (out == nullptr || !has_parents(section)) return;
  for (const ParentPart part : kParentParts) {
    read_parents(section, elements, part, kSizeType, out);
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
