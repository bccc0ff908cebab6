#include "hdf5/column_arrays.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "model/divided.hpp"

namespace onecast::events::hdf5 {
namespace {

using Kind = PlannedColumn::Kind;
using Places = std::vector<std::int64_t>;

constexpr const char* kOffsetsOf = "offsets";
constexpr const char* kIndexOf = "index";
constexpr const char* kDataOf = "data";

std::string dataset_of(const std::string& key, const char* attribute) {
  return key + "-" + attribute;
}

SharedBytes bytes_of(const Places& places) {
  const auto bytes = std::as_bytes(std::span(places));
  return std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
}

/// Returns where the lists of a batch end in the array of elements.
Places offsets_from(const std::vector<std::uint64_t>& ends, std::uint64_t base) {
  Places offsets;
  for (const std::uint64_t end : ends) offsets.push_back(static_cast<std::int64_t>(base + end));
  return offsets;
}

/// Returns the positions of the numbers of a batch among the existing numbers. @param ends empty:
/// none is missing
Places index_from(const std::vector<std::uint64_t>& ends, std::uint64_t events,
                  std::uint64_t base) {
  Places index;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < events; ++i) {
    const std::uint64_t end = ends.empty() ? i + 1 : ends[i];
    index.push_back(end == before ? -1 : static_cast<std::int64_t>(base + before));
    before = end;
  }
  return index;
}

/// Returns the number of elements in a chunk, such that `expected` elements fill equal chunks. An
/// array that fits one chunk has one of its size, and later events may be larger than the first.
std::uint64_t chunk_elements(std::uint64_t most, std::uint64_t expected) {
  if (expected <= most) return most;
  return divided(expected, divided(expected, most));
}

}  // namespace

ColumnArrays::ColumnArrays(Group group, ColumnPlan plan, const ColumnStorage& storage)
    : group_(std::move(group)),
      plan_(std::move(plan)),
      storage_(storage),
      numbers_(plan_.columns.size()),
      places_(plan_.columns.size()),
      leaders_(plan_.columns.size()),
      stored_(plan_.columns.size()) {
  for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
    leaders_[c] = c;
    stored_[c].is_text = plan_.columns[c].may_be_text;
    stored_[c].numbers.resize(plan_.columns[c].numbers.size());
  }
}

std::size_t ColumnArrays::add_array(std::string name, const Datatype& type, std::uint64_t elements,
                                    std::uint64_t events) {
  std::uint64_t expected = 0;
  if (storage_.events && events != 0 &&
      __builtin_mul_overflow(elements, std::max(*storage_.events, events), &expected))
    expected = 0;
  if (events != 0) expected = divided(expected, events);
  const std::uint64_t most = std::max<std::uint64_t>(storage_.chunk_bytes / type.size(), 1);
  arrays_.push_back(std::make_unique<ColumnArray>(std::move(name), type, storage_.compression,
                                                  chunk_elements(most, expected)));
  return arrays_.size() - 1;
}

void ColumnArrays::create(const ColumnsShape& shape) {
  for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
    const PlannedColumn& column = plan_.columns[c];
    leaders_[c] = shape.columns.empty() ? c : static_cast<std::size_t>(shape.columns[c].like);
    if (column.has_offsets() && leaders_[c] == c) {
      stored_[c].places = names_.take(shared_key(column.product.name), kOffsetsOf);
      places_[c] = add_array(dataset_of(stored_[c].places, kOffsetsOf),
                             Datatype::of<std::int64_t>(), shape.events + 1, shape.events);
      arrays_.back()->append_counting(1);
    }
    const std::uint64_t elements = shape.columns.empty() ? 0 : shape.columns[c].elements;
    for (std::size_t i = 0; i < column.numbers.size(); ++i) {
      const std::string& field = column.numbers[i].field;
      stored_[c].numbers[i] =
          names_.take(column.product.name + (field.empty() ? "" : "[]." + field), kDataOf);
      numbers_[c].push_back(add_array(dataset_of(stored_[c].numbers[i], kDataOf),
                                      column.numbers[i].type, elements, shape.events));
    }
  }
}

std::vector<std::size_t> ColumnArrays::leaders_with(const ColumnsShape& shape) const {
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> first;
  std::vector<std::size_t> leaders = leaders_;
  for (std::size_t c = 0; c < leaders.size(); ++c)
    if (plan_.columns[c].has_offsets())
      leaders[c] = first.try_emplace({leaders_[c], shape.columns[c].like}, c).first->second;
  return leaders;
}

bool ColumnArrays::parts_company(const ColumnsShape& shape) const {
  return !arrays_.empty() && leaders_with(shape) != leaders_;
}

std::exception_ptr ColumnArrays::part_company(const ColumnsShape& shape, bool writes) {
  std::exception_ptr failure;
  const auto leaders = leaders_with(shape);
  for (std::size_t c = 0; c < leaders.size(); ++c) {
    if (leaders[c] != c || leaders_[c] == c) continue;
    ColumnArray& shared = *arrays_[*places_[leaders_[c]]];
    stored_[c].places = names_.take(plan_.columns[c].product.name, kOffsetsOf);
    places_[c] = arrays_.size();
    arrays_.push_back(
        std::make_unique<ColumnArray>(shared.copy(dataset_of(stored_[c].places, kOffsetsOf))));
    const auto problem = arrays_.back()->copy_chunks(group_, shared, writes && !failure);
    if (problem) failure = problem;
  }
  leaders_ = leaders;
  return failure;
}

/// Adds an index to a column in which all events had a number until now.
void ColumnArrays::become_option(std::size_t column) {
  stored_[column].is_option = true;
  stored_[column].places = names_.take(plan_.columns[column].product.name, kIndexOf);
  places_[column] =
      add_array(dataset_of(stored_[column].places, kIndexOf), Datatype::of<std::int64_t>(), 1, 1);
  arrays_.back()->append_counting(events_);
}

void ColumnArrays::add(const ColumnsShape& shape, int rank, const ColumnsBatch* mine,
                       std::vector<ChunkWork>& works) {
  if (arrays_.empty()) create(shape);
  for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
    const ColumnsShape::Column& added = shape.columns[c];
    const std::uint64_t base = numbers_of(c).total();
    for (std::size_t i = 0; i < numbers_[c].size(); ++i)
      arrays_[numbers_[c][i]]->append(added.elements, rank,
                                      mine == nullptr ? nullptr : mine->numbers[c][i]);
    stored_[c].is_text = stored_[c].is_text && added.is_text;
    if (plan_.columns[c].kind == Kind::number && !places_[c] && added.elements != shape.events)
      become_option(c);
    if (places_[c]) add_places(c, shape, rank, mine, base);
  }
  events_ += shape.events;
  for (std::size_t i = 0; i < arrays_.size(); ++i) arrays_[i]->take_full(i, rank, works);
}

void ColumnArrays::add_places(std::size_t column, const ColumnsShape& shape, int rank,
                              const ColumnsBatch* mine, std::uint64_t base) {
  SharedBytes bytes;
  if (mine != nullptr) {
    const auto& ends = mine->ends[static_cast<std::size_t>(shape.columns[column].like)];
    bytes = bytes_of(stored_[column].is_option ? index_from(ends, shape.events, base)
                                               : offsets_from(ends, base));
  }
  arrays_[*places_[column]]->append(shape.events, rank, std::move(bytes));
}

void ColumnArrays::add_rest(std::optional<int> owner, int ranks, std::vector<ChunkWork>& works) {
  if (arrays_.empty()) create({});
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    arrays_[i]->take_rest(i, owner.value_or(static_cast<int>(i % static_cast<std::size_t>(ranks))),
                          works);
}

GroupTexts ColumnArrays::texts() const {
  std::vector<StoredColumn> stored = stored_;
  for (std::size_t c = 0; c < stored.size(); ++c) stored[c].places = stored_[leaders_[c]].places;
  return texts_of(plan_, stored);
}

ColumnArrays::State ColumnArrays::state() {
  State now{events_, {}, places_, leaders_, stored_};
  for (const auto& array : arrays_) now.arrays.push_back(array->state());
  return now;
}

void ColumnArrays::take_back(State before) {
  events_ = before.events;
  places_ = std::move(before.places);
  leaders_ = std::move(before.leaders);
  stored_ = std::move(before.stored);
  for (std::size_t i = before.arrays.size(); i < arrays_.size(); ++i) arrays_[i]->remove(group_);
  arrays_.resize(before.arrays.size());
  for (std::size_t i = 0; i < arrays_.size(); ++i) arrays_[i]->restore(before.arrays[i]);
  if (arrays_.empty())
    for (auto& numbers : numbers_) numbers.clear();
}

}  // namespace onecast::events::hdf5
