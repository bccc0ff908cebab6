#include "values/spaces.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <onecast/objects/stored_chunks.hpp>
#include <vector>

namespace onecast_hdf5 {
namespace {

using onecast::Selection;
using onecast::Shape;

std::uint64_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

std::optional<Selection> hyperslabs(Library& library, h5::Id space, std::size_t rank) {
  const h5::Functions& call = library.call;
  if (call.H5Sis_regular_hyperslab(space) > 0) {
    onecast::Hyperslab part{Shape(rank), Shape(rank), Shape(rank), Shape(rank)};
    if (call.H5Sget_regular_hyperslab(space, part.start.data(), part.stride.data(),
                                      part.count.data(), part.block.data()) < 0)
      return std::nullopt;
    return part;
  }
  const std::int64_t blocks = call.H5Sget_select_hyper_nblocks(space);
  if (blocks < 0) return std::nullopt;
  std::vector<h5::Size> corners(static_cast<std::size_t>(blocks) * rank * 2);
  if (call.H5Sget_select_hyper_blocklist(space, 0, static_cast<h5::Size>(blocks), corners.data()) <
      0)
    return std::nullopt;
  std::vector<onecast::Interval> intervals;
  intervals.reserve(corners.size() / 2);
  for (std::size_t block = 0; block < static_cast<std::size_t>(blocks); ++block)
    for (std::size_t i = 0; i < rank; ++i)
      intervals.push_back({corners[block * 2 * rank + i], corners[(block * 2 + 1) * rank + i] + 1});
  return Selection::blocks(rank, intervals);
}

/// The selected elements, if they are all between the corners of their box: the usual case, which
/// takes few calls. The corners are already where H5Soffset_simple has moved them.
std::optional<Selection> box(Library& library, h5::Id space, std::size_t rank,
                             std::uint64_t count) {
  Shape start(rank), last(rank);
  if (count == 0 || library.call.H5Sget_select_bounds(space, start.data(), last.data()) < 0)
    return std::nullopt;
  std::uint64_t inside = 1;
  for (std::size_t i = 0; i < rank; ++i) inside *= last[i] -= start[i] - 1;
  if (inside != count) return std::nullopt;
  return onecast::Hyperslab{std::move(start), std::move(last)};
}

std::optional<Selection> points(Library& library, h5::Id space, std::size_t rank) {
  const std::int64_t count = library.call.H5Sget_select_elem_npoints(space);
  if (count < 0) return std::nullopt;
  std::vector<h5::Size> coordinates(static_cast<std::size_t>(count) * rank);
  if (library.call.H5Sget_select_elem_pointlist(space, 0, static_cast<h5::Size>(count),
                                                coordinates.data()) < 0)
    return std::nullopt;
  return Selection::points(rank, std::move(coordinates));
}

/// Moves a selection to where H5Soffset_simple has moved that of the id. Returns nothing if it
/// would leave the array, or consists of irregular blocks.
std::optional<Selection> in_place(Library& library, h5::Id space, Selection selection) {
  if (selection.element_count() == 0) return selection;
  const std::size_t rank = selection.rank();
  Shape first(rank), last(rank);
  if (library.call.H5Sget_select_bounds(space, first.data(), last.data()) < 0) return std::nullopt;
  const Shape start = selection.bounding_box().start;
  if (start == first) return selection;
  // A move to lower coordinates wraps around, and back.
  if (selection.kind() == Selection::Kind::hyperslab) {
    onecast::Hyperslab part = selection.hyperslab();
    for (std::size_t i = 0; i < rank; ++i) part.start[i] += first[i] - start[i];
    return part;
  }
  if (selection.kind() != Selection::Kind::points) return std::nullopt;
  Shape coordinates = selection.coordinates();
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    coordinates[i] += first[i % rank] - start[i % rank];
  return Selection::points(rank, std::move(coordinates));
}

/// A selection that takes everything of an array of these extents, written as one of a larger
/// array.
Selection all_of(const Shape& extents) {
  return onecast::Hyperslab{Shape(extents.size(), 0), extents};
}

}  // namespace

h5::Id space_id(Library& library, const onecast::Dataspace& space) {
  switch (space.kind()) {
    case onecast::Dataspace::Kind::null:
      return library.call.H5Screate(h5::SpaceClass::null);
    case onecast::Dataspace::Kind::scalar:
      return library.call.H5Screate(h5::SpaceClass::scalar);
    default:
      break;
  }
  return library.call.H5Screate_simple(
      static_cast<int>(space.rank()), space.shape().data(),
      space.max_shape().empty() ? nullptr : space.max_shape().data());
}

onecast::Dataspace dataspace_of(Library& library, h5::Id space) {
  const h5::Functions& call = library.call;
  switch (call.H5Sget_simple_extent_type(space)) {
    case h5::SpaceClass::null:
      return onecast::Dataspace::null();
    case h5::SpaceClass::scalar:
      return {};
    default:
      break;
  }
  const auto rank = static_cast<std::size_t>(call.H5Sget_simple_extent_ndims(space));
  Shape shape(rank);
  Shape most(rank);
  call.H5Sget_simple_extent_dims(space, shape.data(), most.data());
  if (most == shape) return shape;
  return {std::move(shape), std::move(most)};
}

Shape shape_of(Library& library, h5::Id space) {
  std::array<h5::Size, h5::kRankMax> extents;
  const int rank = library.call.H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return {extents.begin(), extents.begin() + std::max(rank, 0)};
}

std::optional<Selection> selection_of(Library& library, h5::Id space, std::size_t rank,
                                      std::uint64_t count) {
  std::optional<Selection> found;
  switch (library.call.H5Sget_select_type(space)) {
    case h5::SelectionType::all:
      return Selection();
    case h5::SelectionType::none:
      return Selection::none();
    case h5::SelectionType::hyperslabs:
      if (rank == 0) break;
      if (auto simple = box(library, space, rank, count)) return simple;
      found = hyperslabs(library, space, rank);
      break;
    case h5::SelectionType::points:
      if (rank > 0) found = points(library, space, rank);
      break;
    default:
      break;
  }
  if (!found || found->is_unlimited()) return std::nullopt;
  return in_place(library, space, *std::move(found));
}

std::optional<Selection> mapped_selection_of(Library& library, h5::Id space) {
  const int rank = library.call.H5Sget_simple_extent_ndims(space);
  if (rank <= 0) return rank == 0 ? std::optional(Selection()) : std::nullopt;
  switch (library.call.H5Sget_select_type(space)) {
    case h5::SelectionType::all:
      return all_of(shape_of(library, space));
    case h5::SelectionType::none:
      return Selection::none();
    case h5::SelectionType::hyperslabs:
      return hyperslabs(library, space, static_cast<std::size_t>(rank));
    default:
      return std::nullopt;
  }
}

std::optional<Sides> sides_of(Library& library, const onecast::Dataspace& stored, h5::Id memory,
                              h5::Id part) {
  if (part == h5::kBlockOfElements || part == h5::kSelectionOfList) return std::nullopt;
  Sides sides;
  // A null dataspace of a dataset or of a side has no elements.
  const auto is_null = [&](h5::Id space, const Shape& shape) {
    return shape.empty() && library.call.H5Sget_simple_extent_type(space) == h5::SpaceClass::null;
  };
  Shape extents = stored.shape();
  sides.count = stored.element_count();
  if (part != h5::kAllElements) {
    extents = shape_of(library, part);
    if (is_null(part, extents) != (stored.kind() == onecast::Dataspace::Kind::null))
      return std::nullopt;
    const std::int64_t elements = library.call.H5Sget_select_npoints(part);
    if (elements < 0) return std::nullopt;
    sides.count = static_cast<std::uint64_t>(elements);
    auto chosen = selection_of(library, part, extents.size(), sides.count);
    if (!chosen || extents.size() != stored.rank()) return std::nullopt;
    if (chosen->kind() == Selection::Kind::all && extents != stored.shape())
      chosen = all_of(extents);
    sides.part = *std::move(chosen);
  }
  sides.memory_elements = sides.count;
  if (memory == h5::kBlockOfElements) return sides;
  if (memory == h5::kAllElements) {
    // The selection in memory is that of the file.
    if (sides.part.kind() == Selection::Kind::all || sides.count == 0) return sides;
    sides.memory.emplace(extents, sides.part);
    sides.memory_elements = product(extents);
    sides.memory_space = part;
    return sides;
  }
  Shape shape = shape_of(library, memory);
  const std::int64_t elements = library.call.H5Sget_select_npoints(memory);
  if (elements < 0 || static_cast<std::uint64_t>(elements) != sides.count) return std::nullopt;
  auto selected = selection_of(library, memory, shape.size(), sides.count);
  if (!selected) return std::nullopt;
  if (selected->kind() == Selection::Kind::all || sides.count == 0) return sides;
  sides.memory_elements = product(shape);
  sides.memory.emplace(std::move(shape), *std::move(selected));
  sides.memory_space = memory;
  return sides;
}

h5::SpaceStatus space_status(const onecast::Dataset& dataset) {
  if (dataset.layout() != onecast::Layout::chunked)
    return dataset.storage_size() > 0 ? h5::SpaceStatus::allocated : h5::SpaceStatus::not_allocated;
  const auto written = onecast::stored_chunks(dataset).size();
  if (written == 0) return h5::SpaceStatus::not_allocated;
  std::uint64_t all = 1;
  const onecast::Shape chunk = dataset.chunk_shape();
  for (std::size_t i = 0; i < chunk.size(); ++i)
    all *= (dataset.shape()[i] + chunk[i] - 1) / chunk[i];
  return written == all ? h5::SpaceStatus::allocated : h5::SpaceStatus::part_allocated;
}

}  // namespace onecast_hdf5
