#include "hdf5/encode_columns.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hdf5/column_form.hpp"
#include "hdf5/element_types.hpp"
#include "hdf5/encode_events.hpp"
#include "model/make_error.hpp"

namespace onecast::events::hdf5 {
namespace {

using Kind = PlannedColumn::Kind;

template <class Number>
SharedBytes bytes_of(const std::vector<Number>& numbers) {
  const auto bytes = std::as_bytes(std::span(numbers));
  return std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
}

SharedBytes bytes_of_identities(Kind kind, const std::vector<Identity>& identities) {
  std::vector<std::uint32_t> small;
  std::vector<std::uint64_t> large;
  for (const Identity& identity : identities)
    if (kind == Kind::event)
      large.push_back(identity.event);
    else
      small.push_back(kind == Kind::run ? identity.run : identity.lumi);
  return kind == Kind::event ? bytes_of(large) : bytes_of(small);
}

/// Gathers one number from each of consecutive elements.
SharedBytes numbers_of(const ColumnNumbers& numbers, Bytes elements, std::size_t element_bytes) {
  const std::size_t bytes = numbers.type.size();
  if (bytes == element_bytes)
    return std::make_shared<std::vector<std::byte>>(elements.begin(), elements.end());
  auto found = std::make_shared<std::vector<std::byte>>(elements.size() / element_bytes * bytes);
  for (std::size_t at = numbers.at, to = 0; at < elements.size(); at += element_bytes, to += bytes)
    std::memcpy(found->data() + to, elements.data() + at, bytes);
  return found;
}

/// Makes each byte the number of FALSE or TRUE: every byte except 0 is true.
void become_booleans(std::vector<std::byte>& bytes) {
  for (std::byte& value : bytes) value = std::byte{value != std::byte{0}};
}

/// Returns an integer of a stored column.
std::uint64_t integer_at(const std::vector<std::byte>& bytes, std::size_t size, std::size_t i) {
  std::uint64_t number = 0;  // the machine and the bytes are little-endian
  std::memcpy(&number, bytes.data() + i * size, size);
  return number;
}

/// True if each event has the number of its identity.
bool are_equal(const PlannedColumn& column, const std::vector<std::byte>& bytes,
               const std::vector<Identity>& identities, std::size_t part) {
  const std::size_t size = column.element_bytes;
  if (bytes.size() != size * identities.size()) return false;
  for (std::size_t i = 0; i < identities.size(); ++i) {
    const Identity& id = identities[i];
    const std::uint64_t wanted = part == 0 ? id.run : part == 1 ? id.lumi : id.event;
    const bool fits =
        size == 8 || wanted >> (8 * size - (column.numbers[0].type.is_signed() ? 1 : 0)) == 0;
    if (!fits || integer_at(bytes, size, i) != wanted) return false;
  }
  return true;
}

/// Returns the end of each event's product, in elements.
std::vector<std::uint64_t> ends_of(const ColumnBatch& parts, std::size_t product,
                                   std::size_t element_bytes) {
  const std::size_t products = parts.columns.size();
  std::vector<std::uint64_t> ends;
  ends.reserve(parts.identities.size());
  for (std::size_t i = product; i < parts.offsets.size(); i += products)
    ends.push_back(parts.offsets[i] / element_bytes);
  return ends;
}

/// Returns the first column whose lists have the offsets of column `c`, which may be `c` itself.
std::size_t first_alike(const ColumnPlan& plan, const ColumnsBatch& batch, std::size_t c) {
  for (std::size_t other = 0; other < c; ++other)
    if (plan.columns[other].has_offsets() && batch.ends[other] == batch.ends[c]) return other;
  return c;
}

/// Moves the product from `parts` to `encoded`.
void encode_product(const ColumnPlan& plan, std::size_t c, ColumnBatch& parts,
                    ColumnsBatch& encoded) {
  const PlannedColumn& column = plan.columns[c];
  ColumnsShape::Column& known = encoded.shape.columns[c];
  const Column product = std::exchange(parts.columns[*column.number], {});
  const Bytes bytes = product.parts.empty() ? Bytes() : product.parts.front();
  known.elements = product.size / column.element_bytes;
  for (const ColumnNumbers& numbers : column.numbers)
    encoded.numbers[c].push_back(numbers_of(numbers, bytes, column.element_bytes));
  if (column.numbers.front().type.type_class() == TypeClass::enumeration)
    become_booleans(*encoded.numbers[c].front());
  if (column.kind == Kind::number && known.elements == encoded.shape.events) return;
  std::vector<std::uint64_t>& ends = encoded.ends[c];
  ends = ends_of(parts, *column.number, column.element_bytes);
  if (column.may_be_text) known.is_text = are_texts(bytes, ends);
  if (!column.has_offsets()) return;
  known.like = first_alike(plan, encoded, c);
  if (known.like != c) ends = {};
}

/// True if the columns of the identity agree with the events' identities.
bool has_identities(const ColumnPlan& plan, const ColumnsBatch& batch,
                    const std::vector<Identity>& identities) {
  for (std::size_t part = 0; part < plan.identity.size(); ++part) {
    const std::size_t c = plan.identity[part];
    if (!are_equal(plan.columns[c], *batch.numbers[c].front(), identities, part)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::uint64_t> ColumnsShape::as_numbers() const {
  std::vector<std::uint64_t> all{events, is_ascending ? 1U : 0U, has_identities ? 1U : 0U};
  for (const Identity& id : {first, last}) all.insert(all.end(), {id.run, id.lumi, id.event});
  for (const Column& column : columns)
    all.insert(all.end(), {column.elements, column.like, column.is_text ? 1U : 0U});
  return all;
}

ColumnsShape ColumnsShape::from_numbers(std::span<const std::uint64_t> numbers) {
  const auto identity = [&](std::size_t at) {
    return Identity{static_cast<std::uint32_t>(numbers[at]),
                    static_cast<std::uint32_t>(numbers[at + 1]), numbers[at + 2]};
  };
  ColumnsShape shape{.events = numbers[0],
                     .is_ascending = numbers[1] != 0,
                     .first = identity(3),
                     .last = identity(6),
                     .has_identities = numbers[2] != 0};
  for (std::size_t at = 9; at + 2 < numbers.size(); at += 3)
    shape.columns.push_back({numbers[at], numbers[at + 1], numbers[at + 2] != 0});
  return shape;
}

void require_elements(const ColumnPlan& plan, const Event& event, const std::string& where) {
  for (const PlannedColumn& column : plan.columns) {
    if (!column.number) continue;
    const std::size_t bytes = event.products[*column.number].size();
    require_whole_elements(event, column.product.name, bytes, column.element_bytes, where);
    if (column.kind == Kind::number && bytes > column.element_bytes)
      throw format_error("{}: event {}: product {}: {} elements of class {}; one was expected",
                         where, event.identity.event, column.product.name,
                         bytes / column.element_bytes, column.product.class_name);
  }
}

std::unique_ptr<ColumnsBatch> encode_columns(const ColumnPlan& plan, const Batch& batch) {
  std::size_t products = 0;
  for (const PlannedColumn& column : plan.columns)
    if (column.number) ++products;
  const auto parts =
      encode_batch({.kind = LayoutKind::product}, products, batch, {}, Parts::become_one);
  const std::vector<Identity>& identities = parts->identities;
  auto encoded = std::make_unique<ColumnsBatch>();
  encoded->shape = {.events = identities.size(),
                    .is_ascending = std::ranges::is_sorted(identities),
                    .first = identities.front(),
                    .last = identities.back()};
  encoded->shape.columns.resize(plan.columns.size());
  encoded->numbers.resize(plan.columns.size());
  encoded->ends.resize(plan.columns.size());
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const PlannedColumn& column = plan.columns[c];
    encoded->shape.columns[c] = {.elements = identities.size(), .like = c};
    if (column.number)
      encode_product(plan, c, *parts, *encoded);
    else
      encoded->numbers[c].push_back(bytes_of_identities(column.kind, identities));
  }
  encoded->shape.has_identities = has_identities(plan, *encoded, identities);
  return encoded;
}

}  // namespace onecast::events::hdf5
