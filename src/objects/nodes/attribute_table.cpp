#include "objects/nodes/attribute_table.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace onecast::nodes {

namespace {

bool before(const AttributeEntry* a, const AttributeEntry* b) { return a->name() < b->name(); }

}  // namespace

auto AttributeTable::name_of() const {
  return [this](std::size_t number) { return entries_[position_of(number)]->name(); };
}

std::size_t AttributeTable::number_at(std::size_t position) const {
  const auto known = numbers();
  return known.empty() ? position : known[position];
}

std::size_t AttributeTable::position_of(std::size_t number) const {
  const auto known = numbers();
  if (known.empty()) return number;
  return static_cast<std::size_t>(std::ranges::lower_bound(known, number) - known.begin());
}

void AttributeTable::number_anew() {
  if (rare_.is_set()) rare_.change().numbers.clear();
  index_.reset();
}

std::optional<std::size_t> AttributeTable::position(std::string_view name) {
  const auto numbers = std::views::iota(std::size_t{0}, entries_.size()) |
                       std::views::transform([this](std::size_t i) { return number_at(i); });
  const auto number = index_.find(arena_, name, numbers, name_of());
  return number ? std::optional(position_of(*number)) : std::nullopt;
}

const AttributeEntry* AttributeTable::find(std::string_view name) {
  const auto at = position(name);
  return at ? entries_[*at] : nullptr;
}

AttributeEntry& AttributeTable::replace(const AttributeEntry& before,
                                        const StoredAttribute& attribute) {
  AttributeEntry* entry = make(attribute);
  entry->set_creation_order(before.creation_order());
  miss(&before);
  entries_[*position(before.name())] = entry;
  return *entry;
}

AttributeEntry& AttributeTable::replace(std::string_view name, const StoredAttribute& attribute) {
  AttributeEntry* entry = make(attribute);
  const AttributeEntry*& place = entries_[*position(name)];
  entry->set_creation_order(place->creation_order());
  miss(place);
  place = entry;
  sorted_ = false;
  number_anew();
  return *entry;
}

AttributeEntry& AttributeTable::add(const StoredAttribute& attribute) {
  AttributeEntry* entry = make(attribute);
  add(entry);
  return *entry;
}

void AttributeTable::erase(std::string_view name) {
  const auto at = position(name);
  if (!at) return;
  miss(entries_[*at]);
  index_.remove(name, name_of());
  std::vector<std::uint32_t>& numbers = rare_.change().numbers;
  if (numbers.empty()) {
    numbers.resize(entries_.size());
    std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
  }
  const auto offset = static_cast<std::ptrdiff_t>(*at);
  entries_.erase(entries_.begin() + offset);
  numbers.erase(numbers.begin() + offset);
}

AttributeEntry& AttributeTable::add_new(const StoredAttribute& attribute) {
  AttributeEntry* entry = make(attribute);
  put_back(*entry);
  return *entry;
}

void AttributeTable::put_back(AttributeEntry& entry) {
  entry.set_creation_order(next_creation_order++);
  add(&entry);
}

void AttributeTable::clear() {
  entries_.clear();
  sorted_ = true;
  number_anew();
  next_creation_order = 0;
}

void AttributeTable::sort_by_name() {
  std::sort(entries_.begin(), entries_.end(), before);
  sorted_ = true;
  number_anew();
}

bool AttributeTable::is_sorted() const {
  return by_creation_order || sorted_ || std::is_sorted(entries_.begin(), entries_.end(), before);
}

void AttributeTable::note_place(const DensePlace& place) {
  for (const AttributeEntry* entry : entries_) entry->is_stored = true;
  if (rare_.is_set()) rare_.change().missed = {};
  set_stored(place);
}

void AttributeTable::miss(const AttributeEntry* entry) {
  if (entry->is_stored) rare_.change().missed.push_back(entry);
}

AttributeEntry* AttributeTable::make(const StoredAttribute& attribute) {
  return arena_.make<AttributeEntry>(attribute).release();
}

void AttributeTable::add(const AttributeEntry* entry) {
  std::size_t number = entries_.size();
  if (const auto known = numbers(); !known.empty()) {
    number = known.back() + 1;
    rare_.change().numbers.push_back(static_cast<std::uint32_t>(number));
  }
  sorted_ = entries_.empty();
  // The arena does not take back what is outgrown.
  constexpr std::size_t kFew = 4;
  if (entries_.capacity() == 0) entries_.reserve(kFew);
  entries_.push_back(entry);
  index_.add(entry->name(), number);
}

}  // namespace onecast::nodes
