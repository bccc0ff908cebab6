#include "api/lookup.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

namespace onecast::cgns {

OpenFile& opened(int fn) { return session().file(fn); }

OpenFile& for_reading(int fn) {
  OpenFile& file = opened(fn);
  if (file.mode == Mode::write) throw Failure("the file is not open for reading");
  return file;
}

OpenFile& for_writing(int fn) {
  OpenFile& file = opened(fn);
  if (file.mode == Mode::read) throw Failure("the file is not open for writing");
  return file;
}

Node& child_at(Node& parent, Label label, int index, int missing) {
  const auto& nodes = parent.children(label);
  if (index < 1 || static_cast<std::size_t>(index) > nodes.size())
    throw Failure(words("index ", index, " of ", text_of(label), " is not in 1..", nodes.size(),
                        " of ", parent.path()),
                  missing);
  return *nodes[static_cast<std::size_t>(index) - 1];
}

Node& base_at(OpenFile& file, int base) { return child_at(file.root(), Label::CGNSBase, base); }

Node& zone_at(OpenFile& file, int base, int zone) {
  return child_at(base_at(file, base), Label::Zone, zone);
}

namespace {

/// Warns of dangling links, which are not counted because their label is unknown. Each is named
/// once, by one rank.
void tell_lost(Node& parent, Label label) {
  for (Node* link : parent.lost(label)) {
    if (link->is_told) continue;
    link->is_told = true;
    if (parent.tree().file().communicator().rank() == 0)
      session().warn(link->lost_text() + "; it is not counted");
  }
}

}  // namespace

int count(Node& parent, Label label) {
  tell_lost(parent, label);
  return static_cast<int>(parent.children(label).size());
}

int index_of(Node& node) {
  const auto& nodes = node.parent()->children(node.label());
  // Most lookups are for the newest nodes.
  const auto found = std::find(nodes.rbegin(), nodes.rend(), &node);
  return static_cast<int>(nodes.rend() - found);
}

Node* single(Node& parent, Label label) {
  const auto& nodes = parent.children(label);
  return nodes.empty() ? nullptr : nodes.front();
}

Node& required(Node& parent, std::string_view name, Label label) {
  Node* node = parent.find(name, label);
  if (node == nullptr)
    throw Failure(parent.path() + " has no " + std::string(name), Failure::kNodeNotFound);
  return *node;
}

namespace {

Node& parent_of(Label child, Node& node, int wrong) {
  if (child_row(node.label(), child) == nullptr)
    throw Failure("no " + std::string(text_of(child)) + " stands below " + node.path() + " (" +
                      node.label_text() + ")",
                  wrong);
  return node;
}

}  // namespace

Node& position_in_any_mode(Label child, int wrong) {
  return parent_of(child, session().position.node(), wrong);
}

Node& position_for_reading(Label child, int wrong) {
  Node& node = session().position.node();
  for_reading(session().position.file());
  return parent_of(child, node, wrong);
}

Node& position_for_writing(Label child, int wrong) {
  Node& node = session().position.node();
  for_writing(session().position.file());
  return parent_of(child, node, wrong);
}

Node& child_at_position(Label label, int index) {
  return child_at(position_for_reading(label), label, index, Failure::kNodeNotFound);
}

Node& create(Node& parent, const char* name, Label label, const Value& value, int* index,
             Storage storage) {
  static_cast<void>(parent.children(label));  // throws if the children cannot be counted
  Node& node = parent.tree().create(parent, checked_name(name), label, value, storage);
  if (index != nullptr) *index = index_of(node);
  return node;
}

Node& require(Node& parent, const std::string& name, Label label) {
  if (Node* node = single(parent, label)) return *node;
  return parent.tree().create(parent, name, label, {});
}

void give_name(const Node& node, char* name) {
  if (node.name().size() > kLongestName)
    throw Failure("the name of " + node.path() + " has more than 32 characters");
  give_text(node.name(), name);
}

void give_text(std::string_view text, char* out) {
  if (out == nullptr) throw Failure("the memory for a text is NULL");
  std::memcpy(out, text.data(), text.size());
  out[text.size()] = '\0';
}

cgsize_t as_size(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(std::numeric_limits<cgsize_t>::max()))
    throw Failure(std::to_string(number) + " does not fit cgsize_t");
  return static_cast<cgsize_t>(number);
}

void give_dims(const Dims& dims, int* dimensions, cgsize_t* extents) {
  *dimensions = static_cast<int>(dims.size());
  std::ranges::transform(dims, extents, as_size);
}

char* allocated(std::string_view text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  give_text(text, copy);
  return copy;
}

int index_dimension(Node& zone) {
  const Dims dims = zone.dims();
  if (dims.size() != 2 || dims[0] < 1 || dims[0] > 3 || dims[1] != 3)
    throw Failure(zone.path() + ": the sizes of a zone are not [1..3, 3] numbers");
  return static_cast<int>(dims[0]);
}

namespace {

int dimension(Node& base, std::size_t which) {
  const int number = read_numbers<std::int32_t>(base, 2)[which];
  if (number < 1 || number > 3)
    throw failure(base.path(), ": the dimension ", number, " is not 1..3");
  return number;
}

}  // namespace

int cell_dimension(Node& base) { return dimension(base, 0); }
int physical_dimension(Node& base) { return dimension(base, 1); }

namespace {

/// The types of arrays, with those of their values.
constexpr std::array<std::pair<DataType_t, ValueType>, 7> kArrayTypes{
    {{Integer, ValueType::I4},
     {RealSingle, ValueType::R4},
     {RealDouble, ValueType::R8},
     {Character, ValueType::C1},
     {LongInteger, ValueType::I8},
     {ComplexSingle, ValueType::X4},
     {ComplexDouble, ValueType::X8}}};

}  // namespace

ValueType value_type_of(DataType_t type) {
  for (const auto& [known, value] : kArrayTypes)
    if (known == type) return value;
  throw failure(static_cast<int>(type), " is no data type of arrays");
}

DataType_t data_type_of(ValueType type) {
  for (const auto& [known, value] : kArrayTypes)
    if (value == type) return known;
  return DataTypeNull;
}

}  // namespace onecast::cgns
