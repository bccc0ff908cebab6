#include "elements/section_growth.hpp"

#include <algorithm>

#include "elements/parents.hpp"

namespace onecast::cgns {

namespace {

using Numbers = std::vector<std::int64_t>;

/// Returns the numbers of an array, including those that other ranks have written. @collective
Numbers numbers_of(Node& array) {
  const auto data = array.data();
  if (!data) throw Failure(array.path() + " has no value");
  return data->read_all<std::int64_t>();
}
Numbers numbers_of(Node& array, Interval part) {
  const auto data = array.data();
  if (!data) throw Failure(array.path() + " has no value");
  return data->read_all<std::int64_t>(selection_of(box_of(part), array.tree().is_reversed()));
}

/// Replaces all numbers of an array. Keeps its type and, if their count does not change, its place.
void replace_numbers(Node& array, const Numbers& numbers, const Dims& dims) {
  if (array.dims() == dims)
    return write_integers(array, all_of(dims), ValueType::I8, numbers.data());
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
    require_numbers("the part", start, end);
    const Numbers range{first, last};
    require_fitting(required(section.node(), kElementRange, Label::IndexRange), 2, ValueType::I8,
                    range.data());
  }
  [[nodiscard]] bool is_none() const { return first == old_first && last == old_last; }
  [[nodiscard]] std::uint64_t count() const { return static_cast<std::uint64_t>(last - first) + 1; }
  /// The index of an element number in the grown section.
  [[nodiscard]] std::uint64_t index(std::int64_t number) const {
    return static_cast<std::uint64_t>(number - first);
  }
};

/// Makes the first change of a section that grows. If ranks would grow it by different elements,
/// the call fails before anything has changed.
void grow_range(const Section& section, const Growth& growth) {
  split_parent_data(section);
  for (const ParentPart part : kParentParts)
    if (section.node().find(name_of(part)) != nullptr) parents_of(section, section.all(), part);
  Node& range = required(section.node(), kElementRange, Label::IndexRange);
  const Numbers ends{growth.first, growth.last};
  write_part(range, {.stored = all_of({2}), .memory_type = ValueType::I8}, ends.data(),
             range.tree().has_ranks() ? Manner::compared : Manner::equally);
}

/// Grows the arrays of parents. New elements have no parents.
void grow_parents(const Section& section, const Growth& growth) {
  for (const ParentPart part : kParentParts) {
    Node* array = section.node().find(name_of(part), Label::DataArray);
    if (array == nullptr) continue;
    const Numbers old = numbers_of(*array);
    Numbers grown(2 * growth.count());
    for (std::uint64_t column = 0; column < 2; ++column)
      std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(column * section.count()),
                  section.count(),
                  grown.begin() + static_cast<std::ptrdiff_t>(column * growth.count() +
                                                              growth.index(growth.old_first)));
    replace_numbers(*array, grown, {growth.count(), 2});
  }
}

}  // namespace

void write_elements(const Section& section, std::int64_t start, std::int64_t end, ValueType type,
                    const void* entries) {
  require_fixed_size(section.type());
  const Growth growth(section, start, end);
  if (entries == nullptr) throw Failure("the elements are NULL");
  Node& connectivity = section.connectivity();
  const Interval old = section.entries_of(section.all());  // checked, even if the section grows
  if (growth.is_none()) {
    const Interval part = section.entries_of(section.elements(start, end));
    return write_part_of_integers(connectivity, box_of(part), type, entries);
  }
  const auto nodes = static_cast<std::uint64_t>(nodes_of(section.type()));
  Numbers grown(growth.count() * nodes);
  const auto place = [&](const Numbers& part, std::int64_t first) {
    std::ranges::copy(part,
                      grown.begin() + static_cast<std::ptrdiff_t>(growth.index(first) * nodes));
  };
  place(numbers_of(connectivity, old), section.first());
  place(widened(type, entries, (static_cast<std::uint64_t>(end - start) + 1) * nodes), start);
  require_fitting(connectivity, grown.size(), ValueType::I8, grown.data());
  grow_range(section, growth);
  grow_parents(section, growth);
  replace_numbers(connectivity, grown, {grown.size()});
}

namespace {

void require_offsets_within(const Section& section, const Numbers& offsets) {
  const auto room = static_cast<std::int64_t>(section.entries());
  if (!std::ranges::is_sorted(offsets) || offsets.front() < 0 || offsets.back() > room)
    throw failure(section.start_offset().path(), " does not ascend within 0..", room);
}

/// Writes elements in place of others. Returns false if their entries do not have the same size.
bool write_in_place(const Section& section, Interval elements, const Numbers& offsets,
                    const Numbers& entries) {
  const Interval places{elements.begin, elements.end + 1};
  Numbers stored = numbers_of(section.start_offset(), places);
  require_offsets_within(section, stored);
  const std::int64_t begin = stored.front();
  if (static_cast<std::uint64_t>(stored.back() - begin) != entries.size()) return false;
  for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = begin + offsets[i] - offsets.front();
  const Interval room{static_cast<std::uint64_t>(begin),
                      static_cast<std::uint64_t>(begin) + entries.size()};
  require_fitting(section.connectivity(), entries.size(), ValueType::I8, entries.data());
  write_part_of_integers(section.start_offset(), box_of(places), ValueType::I8, stored.data());
  if (!entries.empty())
    write_part_of_integers(section.connectivity(), box_of(room), ValueType::I8, entries.data());
  return true;
}

/// The elements of a grown section, appended one after the other.
struct Assembly {
  Numbers offsets{0};
  Numbers entries;

  void append(const Numbers& from, std::int64_t begin, std::int64_t end) {
    entries.insert(entries.end(), from.begin() + begin, from.begin() + end);
    offsets.push_back(static_cast<std::int64_t>(entries.size()));
  }
};

}  // namespace

void write_elements_with_offsets(const Section& section, std::int64_t start, std::int64_t end,
                                 const Numbers& offsets, const Numbers& entries) {
  const Growth growth(section, start, end);
  if (growth.is_none() && write_in_place(section, section.elements(start, end), offsets, entries))
    return;
  Node& connectivity = section.connectivity();
  const Numbers old_offsets = numbers_of(section.start_offset());
  const Numbers old_entries = numbers_of(connectivity);
  if (old_offsets.size() != section.count() + 1)
    throw failure(section.start_offset().path(), " has ", old_offsets.size(), " entries, not ",
                  section.count() + 1);
  require_offsets_within(section, old_offsets);

  Assembly made;
  made.offsets.reserve(growth.count() + 1);  // an absurd gap fails here, not after a long loop
  const Numbers filler{section.type() == MIXED ? NODE : 0, 0};
  for (std::int64_t number = growth.first; number <= growth.last; ++number) {
    if (number >= start && number <= end) {
      const auto i = static_cast<std::size_t>(number - start);
      made.append(entries, offsets[i] - offsets.front(), offsets[i + 1] - offsets.front());
    } else if (number >= section.first() && number <= section.last()) {
      const auto i = static_cast<std::size_t>(number - section.first());
      made.append(old_entries, old_offsets[i], old_offsets[i + 1]);
    } else {
      made.append(filler, 0, 2);
    }
  }
  // A section does not shrink.
  if (made.entries.size() < old_entries.size())
    made.entries.insert(made.entries.end(),
                        old_entries.begin() + static_cast<std::ptrdiff_t>(made.entries.size()),
                        old_entries.end());
  require_fitting(connectivity, made.entries.size(), ValueType::I8, made.entries.data());
  if (!growth.is_none()) {
    grow_range(section, growth);
    grow_parents(section, growth);
  }
  replace_numbers(section.start_offset(), made.offsets, {made.offsets.size()});
  replace_numbers(connectivity, made.entries, {made.entries.size()});
}

}  // namespace onecast::cgns
