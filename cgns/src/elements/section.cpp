#include "elements/section.hpp"

#include <algorithm>
#include <cstring>

#include "elements/old_section.hpp"
#include "grammar/nodes_per_element.hpp"

namespace onecast::cgns {

bool has_offsets(ElementType_t type) { return type == NGON_n || type == NFACE_n || type == MIXED; }

int nodes_of(int type) {
  if (type < 0 || type >= NofValidElementTypes) return 0;
  return kNodesPerElement[static_cast<std::size_t>(type)];
}

std::string name_of(ElementType_t type) {
  const int number = type;
  if (number < 0 || number >= NofValidElementTypes) return "element type " + std::to_string(number);
  return ElementTypeName[number];
}

void require_fixed_size(ElementType_t type) {
  if (nodes_of(type) == 0)
    throw Failure(name_of(type) + " has elements of varying size, or is no type of elements");
}

void require_offsets(ElementType_t type) {
  if (!has_offsets(type)) throw Failure(name_of(type) + " is none of NGON_n, NFACE_n, MIXED");
}

void require_numbers(const std::string& section, std::int64_t first, std::int64_t last) {
  if (last < first || first < -kLargestNumber || last > kLargestNumber)
    throw failure(section, " has elements ", first, "..", last);
}

Section::Section(Node& node) : node_(&node) {
  const auto values = read_numbers<std::int32_t>(node, 2);
  const int number = current_type(node.tree(), values[0]);
  if (number < 0 || number >= NofValidElementTypes)
    throw failure(node.path(), " has elements of type ", number, ", which is no type");
  type_ = static_cast<ElementType_t>(number);
  last_boundary_ = values[1];
  Node& range = required(node, kElementRange, Label::IndexRange);
  const auto bounds = read_numbers<std::int64_t>(range, 2);
  first_ = bounds[0];
  last_ = bounds[1];
  require_numbers(node.path(), first_, last_);
}

bool Section::is_old() const {
  return has_offsets(type_) && node_->find(kStartOffset) == nullptr && is_converted(*this);
}

Interval Section::elements(std::int64_t start, std::int64_t end) const {
  if (start < first_ || end < start || end > last_)
    throw failure("elements ", start, "..", end, " are not within ", first_, "..", last_, " of ",
                  node_->path());
  return {static_cast<std::uint64_t>(start - first_), static_cast<std::uint64_t>(end - first_) + 1};
}

Node& Section::connectivity() const { return required(*node_, kConnectivity, Label::DataArray); }

Node& Section::start_offset() const { return required(*node_, kStartOffset, Label::DataArray); }

namespace {

std::uint64_t length_of(Node& array) {
  const Dims dims = array.dims();
  if (dims.size() != 1) throw failure(array.path(), " has ", dims.size(), " dimensions, not 1");
  return dims.front();
}

}  // namespace

std::uint64_t Section::entries() const {
  if (is_old()) return converted(*this).entries.size();
  return length_of(connectivity());
}

Interval Section::entries_of(Interval elements) const {
  if (is_fixed_size()) {
    const auto nodes = static_cast<std::uint64_t>(nodes_of(type_));
    const std::uint64_t found = length_of(connectivity());
    if (found != count() * nodes)
      throw failure(connectivity().path(), " has ", found, " entries, not ", count() * nodes);
    return {elements.begin * nodes, elements.end * nodes};
  }
  const auto begins = offsets(elements);
  return {static_cast<std::uint64_t>(begins.front()), static_cast<std::uint64_t>(begins.back())};
}

std::vector<std::int64_t> Section::offsets(Interval elements) const {
  require_offsets(type_);
  if (is_old()) {
    const auto& offsets = converted(*this).offsets;
    return {offsets.begin() + static_cast<std::ptrdiff_t>(elements.begin),
            offsets.begin() + static_cast<std::ptrdiff_t>(elements.end) + 1};
  }
  Node& array = start_offset();
  if (length_of(array) != count() + 1)
    throw failure(array.path(), " has ", length_of(array), " entries, not ", count() + 1);
  std::vector<std::int64_t> offsets(elements.size() + 1);
  read_integers(array, box_of({elements.begin, elements.end + 1}), ValueType::I8, offsets.data());
  const auto length = static_cast<std::int64_t>(entries());
  if (offsets.front() < 0 || offsets.back() > length || !std::ranges::is_sorted(offsets))
    throw failure(array.path(), " does not ascend within 0..", length);
  return offsets;
}

namespace {

/// Copies numbers to the caller's memory. Throws Failure if one does not fit.
void give(Node& node, std::span<const std::int64_t> numbers, ValueType type, void* out) {
  if (numbers.empty()) return;
  if (out == nullptr) throw Failure("the memory to read into is NULL");
  if (type == ValueType::I8) {
    std::memcpy(out, numbers.data(), numbers.size_bytes());
    return;
  }
  const auto narrow = detail::narrowed(node, {numbers.begin(), numbers.end()});
  std::memcpy(out, narrow.data(), narrow.size() * sizeof(std::int32_t));
}

}  // namespace

void Section::read_offsets(Interval elements, ValueType type, void* out) const {
  give(*node_, offsets(elements), type, out);
}

void Section::read_connectivity(Interval entries, ValueType type, void* out) const {
  if (is_old())
    give(*node_, std::span(converted(*this).entries).subspan(entries.begin, entries.size()), type,
         out);
  else if (entries.size() != 0)
    read_integers(connectivity(), box_of(entries), type, out);
}

Section section_at(OpenFile& file, int base, int zone, int section) {
  return Section(child_at(zone_at(file, base, zone), Label::Elements, section));
}

Box box_of(Interval interval) { return {{interval.begin}, {interval.end}}; }

void read_integers(Node& array, const Box& box, ValueType type, void* out) {
  if (type == ValueType::I4 && array.type() != ValueType::I4) {
    if (out == nullptr) throw Failure("the memory to read into is NULL");
    std::vector<std::int64_t> wide(element_count(box.shape()));
    read_part(array, {.stored = box, .memory_type = ValueType::I8}, wide.data());
    give(array, wide, type, out);
    return;
  }
  read_part(array, {.stored = box, .memory_type = type}, out);
}

void require_fitting(Node& array, std::uint64_t count, ValueType type, const void* numbers) {
  if (type != ValueType::I8 || array.type() != ValueType::I4 || numbers == nullptr) return;
  for (const std::int64_t number : std::span(static_cast<const std::int64_t*>(numbers), count))
    if (number != static_cast<std::int32_t>(number))
      throw failure(array.path(), " is of type I4, which has no ", number);
}

void write_integers(Node& array, const Box& box, ValueType type, const void* numbers) {
  require_fitting(array, element_count(box.shape()), type, numbers);
  write_part(array, {.stored = box, .memory_type = type}, numbers, Manner::equally);
}

void write_part_of_integers(Node& array, const Box& box, ValueType type, const void* numbers) {
  require_fitting(array, element_count(box.shape()), type, numbers);
  write_part(array, {.stored = box, .memory_type = type}, numbers, manner_of_parts(array));
}

std::vector<std::int64_t> widened(ValueType type, const void* numbers, std::uint64_t count) {
  if (type == ValueType::I8) {
    const auto* wide = static_cast<const std::int64_t*>(numbers);
    return {wide, wide + count};
  }
  const auto* narrow = static_cast<const std::int32_t*>(numbers);
  return {narrow, narrow + count};
}

ValueType integer_type_of(DataType_t type) {
  if (type != Integer && type != LongInteger)
    throw Failure("elements are of type Integer or LongInteger");
  return value_type_of(type);
}

}  // namespace onecast::cgns
