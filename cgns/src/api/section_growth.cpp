#include "api/section_growth.hpp"

#include <algorithm>

#include "api/parents.hpp"

namespace onecast::cgns {

namespace {

using Numbers = std::vector<std::int64_t>;

/// All numbers of an array, as all ranks have written them. @collective
Numbers numbers_of(Node& array) {
  const auto data = array.data();
  if (!data) throw Failure(array.path() + " has no value");
  return data->read_all<std::int64_t>();
}

/// Stores all numbers of an array anew, in its type and, if it has that many, in its place.
void replace_numbers(Node& array, const Numbers& numbers, const Dims& dims) {
  if (array.dims() == dims) return write_integers(array, all_of(dims), ValueType::I8, numbers.data());
  if (array.type() == ValueType::I4) {
    const auto narrow = detail::narrowed(array, numbers);
    array.tree().write_value(array, Value::numbers<std::int32_t>(narrow, dims));
  } else {
    array.tree().write_value(array, Value::numbers<std::int64_t>(numbers, dims));
  }
}

/// The range of a section before and after a write.
struct Growth {
  std::int64_t old_first, old_last, first, last;

  Growth(const Section& section, std::int64_t start, std::int64_t end)
      : old_first(section.first()),
        old_last(section.last()),
        first(std::min(start, section.first())),
        last(std::max(end, section.last())) {
    if (end < start)
      throw Failure("elements " + std::to_string(start) + ".." + std::to_string(end));
    constexpr std::int64_t kLargest = std::int64_t{1} << 54U;
    if (first < -kLargest || last > kLargest)
      throw Failure("the element numbers of the section become " + std::to_string(first) + ".." +
                    std::to_string(last));
  }
  [[nodiscard]] bool is_none() const { return first == old_first && last == old_last; }
  [[nodiscard]] std::uint64_t count() const { return static_cast<std::uint64_t>(last - first) + 1; }
  /// The index of an element number in the grown section.
  [[nodiscard]] std::uint64_t index(std::int64_t number) const {
    return static_cast<std::uint64_t>(number - first);
  }
};

/// New elements have no parents.
void grow_parents(const Section& section, const Growth& growth) {
  split_parent_data(section);
  for (const ParentPart part : kParentParts) {
    Node* array = section.node().find(name_of(part), Label::DataArray);
    if (array == nullptr) continue;
    const Numbers old = numbers_of(*array);
    if (old.size() != 2 * section.count())
      throw Failure(array->path() + " does not have two numbers for each element");
    Numbers grown(2 * growth.count());
    for (std::uint64_t column = 0; column < 2; ++column)
      std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(column * section.count()),
                  section.count(),
                  grown.begin() + static_cast<std::ptrdiff_t>(column * growth.count() +
                                                              growth.index(growth.old_first)));
    replace_numbers(*array, grown, {growth.count(), 2});
  }
}

void grow_range(const Section& section, const Growth& growth) {
  Node& range = required(section.node(), kElementRange, Label::IndexRange);
  write_integers(range, all_of({2}), ValueType::I8, Numbers{growth.first, growth.last}.data());
}

}  // namespace

void write_elements(Section section, std::int64_t start, std::int64_t end, ValueType type,
                    const void* entries) {
  require_fixed_size(section.type());
  const Growth growth(section, start, end);
  if (entries == nullptr) throw Failure("the elements are NULL");
  Node& connectivity = section.connectivity();
  if (growth.is_none()) {
    const Interval part = section.entries_of(section.elements(start, end));
    return write_integers(connectivity, box_of(part), type, entries);
  }
  const auto nodes = static_cast<std::uint64_t>(nodes_of(section.type()));
  const auto place = [&](Numbers& grown, const Numbers& part, std::int64_t first) {
    std::ranges::copy(part,
                      grown.begin() + static_cast<std::ptrdiff_t>(growth.index(first) * nodes));
  };
  if (section.entries_of(section.all()).size() != section.count() * nodes) return;
  Numbers grown(growth.count() * nodes);
  place(grown, numbers_of(connectivity), section.first());
  place(grown, widened(type, entries, (static_cast<std::uint64_t>(end - start) + 1) * nodes), start);
  grow_parents(section, growth);
  replace_numbers(connectivity, grown, {grown.size()});
  grow_range(section, growth);
}

void write_elements_with_offsets(Section section, std::int64_t start, std::int64_t end,
                                 const Numbers& offsets, const Numbers& entries) {
  const Growth growth(section, start, end);
  const Numbers old_offsets = numbers_of(section.start_offset());
  const Numbers old_entries = numbers_of(section.connectivity());
  if (old_offsets.size() != section.count() + 1 || !std::ranges::is_sorted(old_offsets) ||
      old_offsets.front() < 0 ||
      static_cast<std::uint64_t>(old_offsets.back()) > old_entries.size())
    throw Failure(section.start_offset().path() + " does not fit the section");

  Numbers new_offsets{0};
  Numbers new_entries;
  const auto append = [&](const Numbers& from, std::int64_t begin, std::int64_t after) {
    new_entries.insert(new_entries.end(), from.begin() + begin, from.begin() + after);
    new_offsets.push_back(static_cast<std::int64_t>(new_entries.size()));
  };
  const Numbers filler{section.type() == MIXED ? NODE : 0, 0};
  for (std::int64_t number = growth.first; number <= growth.last; ++number) {
    if (number >= start && number <= end) {
      const auto i = static_cast<std::size_t>(number - start);
      append(entries, offsets[i] - offsets.front(), offsets[i + 1] - offsets.front());
    } else if (number >= section.first() && number <= section.last()) {
      const auto i = static_cast<std::size_t>(number - section.first());
      append(old_entries, old_offsets[i], old_offsets[i + 1]);
    } else {
      append(filler, 0, 2);
    }
  }
  // A section keeps the room that it has.
  if (new_entries.size() < old_entries.size())
    new_entries.insert(new_entries.end(),
                       old_entries.begin() + static_cast<std::ptrdiff_t>(new_entries.size()),
                       old_entries.end());
  if (!growth.is_none()) grow_parents(section, growth);
  replace_numbers(section.start_offset(), new_offsets, {new_offsets.size()});
  replace_numbers(section.connectivity(), new_entries, {new_entries.size()});
  if (!growth.is_none()) grow_range(section, growth);
}

}  // namespace onecast::cgns
