#include "api/point_sets.hpp"

#include <algorithm>
#include <array>

#include "transfer/transfer.hpp"

namespace onecast::cgns {

namespace {

/// A form in which a set of points is stored.
struct Form {
  std::string_view name;
  Label label;
  PointSetType_t type;
};
// The last two forms are those of old boundary conditions.
constexpr std::array<Form, 4> kForms{{{"PointRange", Label::IndexRange, PointRange},
                                      {"PointList", Label::IndexArray, PointList},
                                      {"ElementRange", Label::IndexRange, ElementRange},
                                      {"ElementList", Label::IndexArray, ElementList}}};

/// Returns the number of points from the first to the last, whose indices follow each other in
/// `range`.
template <class Size>
std::uint64_t size_of_range(const Size* range, int dimensions) {
  Dims extents;
  for (int i = 0; i < dimensions; ++i) {
    const auto [low, high] = std::minmax(range[i], range[i + dimensions]);
    extents.push_back(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1);
  }
  return element_count(extents);
}

}  // namespace

cgsize_t count_of_points(Node& points, int dimensions) {
  const Dims dims = points.dims();
  const auto each = static_cast<std::uint64_t>(dimensions);
  const bool is_plain = dims.size() == 1 && dimensions == 1;
  if (!is_plain && (dims.size() != 2 || dims[0] != each))
    throw failure(points.path(), " does not hold points of ", dimensions, " indices");
  return as_size(dims.back());
}

std::optional<PointSet> point_set_of(Node& parent, int dimensions) {
  for (const Form& form : kForms) {
    Node* node = parent.find(form.name, form.label);
    if (node == nullptr) continue;
    PointSet points{node, form.type, count_of_points(*node, dimensions), 0};
    points.size = static_cast<std::uint64_t>(points.count);
    if (form.label == Label::IndexRange) {
      const auto range =
          read_numbers<std::int64_t>(*node, 2 * static_cast<std::size_t>(dimensions));
      points.size = size_of_range(range.data(), dimensions);
    }
    return points;
  }
  return {};
}

PointSet required_points(Node& parent, int dimensions) {
  const auto points = point_set_of(parent, dimensions);
  if (!points) throw Failure(parent.path() + " has no points: neither PointRange nor PointList");
  return *points;
}

void give_points_info(Node& parent, int dimensions, PointSetType_t* type, cgsize_t* count) {
  const auto points = point_set_of(parent, dimensions);
  *type = points ? points->type : PointSetTypeNull;
  *count = points ? points->count : 0;
}

void read_points(Node& points, cgsize_t* indices) {
  // Values that the open brought are in memory; others are read to the caller's memory, without a
  // copy, unless their numbers may not fit.
  if (points.brought || sizeof(cgsize_t) < sizeof(std::int64_t)) {
    std::ranges::copy(read_numbers<cgsize_t>(points), indices);
    return;
  }
  read_part(points, {.stored = all_of(points.dims()), .memory_type = value_type<cgsize_t>()},
            indices);
}

void check_points(const NewPoints& points) {
  if (points.type != PointRange && points.type != PointList)
    throw Failure("points are given as PointRange or PointList, not as " +
                  std::string(cg_PointSetTypeName(points.type)));
  if (points.type == PointRange ? points.count != 2 : points.count < 1)
    throw Failure("a PointRange has 2 points and a PointList 1 or more, not " +
                  std::to_string(points.count));
  if (points.type == PointRange && points.indices == nullptr)
    throw Failure("the points of a PointRange are NULL");
}

std::uint64_t size_of(const NewPoints& points, int dimensions) {
  return points.type == PointRange ? size_of_range(points.indices, dimensions)
                                   : static_cast<std::uint64_t>(points.count);
}

void write_points(Node& parent, int dimensions, const NewPoints& points) {
  const bool is_range = points.type == PointRange;
  write_indices(parent, is_range ? "PointRange" : "PointList",
                is_range ? Label::IndexRange : Label::IndexArray, dimensions, points.count,
                points.indices);
}

void write_indices(Node& parent, const char* name, Label label, int dimensions, cgsize_t count,
                   const cgsize_t* indices) {
  const Dims dims{static_cast<std::uint64_t>(dimensions), static_cast<std::uint64_t>(count)};
  if (indices == nullptr)
    create(parent, name, label, {value_type<cgsize_t>(), dims}, nullptr, Storage::contiguous);
  else
    create(parent, name, label, Value::numbers(std::span(indices, element_count(dims)), dims));
}

}  // namespace onecast::cgns
