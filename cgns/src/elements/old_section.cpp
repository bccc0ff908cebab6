#include "elements/old_section.hpp"

#include <memory>
#include <span>

#include "elements/parents.hpp"

namespace onecast::cgns {

namespace {

constexpr float kOffsets = 4.0F;
constexpr float kTypesAfterMixed = 3.0F;
constexpr float kNumbersOf30 = 3.0F;
constexpr float kNumbersOfNow = 3.1F;
constexpr float kCubicTypes = 3.2F;
constexpr float kWritten = 3.4F;

bool has_numbers_of_30(Tree& tree) {
  const float version = tree.version();
  return version >= kNumbersOf30 && version < kNumbersOfNow;
}

/// Converts a number of version 3.0, which had PYRA_13 before PYRA_14; now it follows MIXED.
int renumbered(int number) {
  if (number == PYRA_14) return PYRA_13;
  return number > PYRA_14 && number <= PYRA_13 ? number - 1 : number;
}

/// Walks over the entries of a section.
class Walk {
 public:
  Walk(const Section& section, std::span<const std::int64_t> stored)
      : section_(section), stored_(stored) {
    result_.offsets.reserve(section.count() + 1);
    result_.offsets.push_back(0);
  }

  Connectivity polygons() && {
    for (std::uint64_t i = 0; i < section_.count(); ++i) add(next());
    return std::move(result_);
  }
  Connectivity mixed() && {
    Tree& tree = section_.node().tree();
    const bool is_30 = has_numbers_of_30(tree);
    const float version = tree.version();
    const std::int64_t last_type = version < kTypesAfterMixed ? MIXED
                                   : version < kCubicTypes    ? NFACE_n
                                                              : NofValidElementTypes - 1;
    for (std::uint64_t i = 0; i < section_.count(); ++i) {
      std::int64_t type = next();
      if (type < 0 || type > last_type)  // a larger number was a polygon
        fail(words("is of type ", type, ", which MIXED has not"));
      if (is_30) type = renumbered(static_cast<int>(type));
      if (nodes_of(static_cast<int>(type)) == 0)
        fail(words("is of type ", type, ", which MIXED has not"));
      result_.entries.push_back(type);
      add(nodes_of(static_cast<int>(type)));
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw failure(section_.connectivity().path(), ": element ",
                  section_.first() + static_cast<std::int64_t>(result_.offsets.size()) - 1, " ",
                  what);
  }
  std::int64_t next() {
    if (position_ == stored_.size()) fail("is missing");
    return stored_[position_++];
  }
  void add(std::int64_t nodes) {
    if (nodes < 0 || static_cast<std::uint64_t>(nodes) > stored_.size() - position_)
      fail(words("has ", nodes, " nodes, and ", stored_.size() - position_, " entries are left"));
    const auto part = stored_.subspan(position_, static_cast<std::size_t>(nodes));
    result_.entries.insert(result_.entries.end(), part.begin(), part.end());
    result_.offsets.push_back(static_cast<std::int64_t>(result_.entries.size()));
    position_ += part.size();
  }

  const Section& section_;
  std::span<const std::int64_t> stored_;
  std::size_t position_ = 0;
  Connectivity result_;
};

}  // namespace

int current_type(Tree& tree, int number) {
  if (number > MIXED && tree.version() < kTypesAfterMixed)
    throw failure("elements of type ", number, " of versions before 3.0 are not supported");
  if (number < PYRA_14 || number > PYRA_13 || !has_numbers_of_30(tree)) return number;
  return renumbered(number);
}

bool is_converted(const Section& section) {
  return section.type() == MIXED || section.node().tree().version() < kOffsets;
}

const Connectivity& converted(const Section& section) {
  Node& array = section.connectivity();
  if (!array.derived) {
    const auto data = array.data();
    if (!data) throw Failure(array.path() + " has no value");
    if (!converts(array.type(), ValueType::I8))
      throw Failure(array.path() + " is of type " + std::string(text_of(array.type())));
    // Each element has at least one entry. This check bounds the memory.
    if (section.count() > data->element_count())
      throw Failure(array.path() + " has fewer entries than elements");
    const auto stored = data->read<std::int64_t>();
    Walk walk(section, stored);
    array.derived = std::make_shared<Connectivity>(
        section.type() == MIXED ? std::move(walk).mixed() : std::move(walk).polygons());
  }
  return *static_cast<const Connectivity*>(array.derived.get());
}

namespace {

std::vector<Section> all_sections(OpenFile& file) {
  std::vector<Section> sections;
  for (Node* base : file.root().children(Label::CGNSBase))
    for (Node* zone : base->children(Label::Zone))
      for (Node* section : zone->children(Label::Elements)) sections.emplace_back(*section);
  return sections;
}

void convert_section(const Section& section, bool is_old) {
  Node& node = section.node();
  Tree& tree = node.tree();
  const std::int32_t values[2] = {section.type(), section.last_boundary()};
  if (read_numbers<std::int32_t>(node, 2)[0] != section.type())
    tree.write_value(node, Value::numbers<std::int32_t>(values));
  split_parent_data(section);
  if (!is_old) return;
  const Connectivity connectivity =
      converted(section);  // a copy, because the write drops the connectivity that is kept
  tree.write_value(section.connectivity(), Value::numbers<std::int64_t>(connectivity.entries));
  tree.create(node, kStartOffset, Label::DataArray,
              Value::numbers<std::int64_t>(connectivity.offsets));
}

}  // namespace

void convert_sections(OpenFile& file, bool with_offsets) {
  Tree& tree = *file.tree;
  if (tree.version() >= (with_offsets ? kOffsets : kNumbersOfNow)) return;
  std::vector<Section> sections;
  if (file.mode == Mode::modify) sections = all_sections(file);
  std::vector<bool> is_old;
  for (const Section& section : sections) {
    is_old.push_back(section.is_old());
    if (is_old.back()) converted(section);
  }
  for (std::size_t i = 0; i < sections.size(); ++i) {
    convert_section(sections[i], is_old[i]);
    with_offsets = with_offsets || is_old[i];
  }
  tree.raise_version(with_offsets ? kOffsets : kWritten);
}

}  // namespace onecast::cgns
