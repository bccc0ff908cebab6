// Binds selections.

#include "onecast/space/selection.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "buffer.hpp"

namespace {

using onecast::Hyperslab;
using onecast::Interval;
using onecast::Selection;
using onecast::Shape;

using Corners = std::pair<Extents, Extents>;

std::vector<std::uint64_t> numbers_of(Memory array) {
  const ReadBuffer buffer(array);
  std::vector<std::uint64_t> numbers(buffer.bytes().size() / sizeof(std::uint64_t));
  if (!numbers.empty())
    std::memcpy(numbers.data(), buffer.bytes().data(), numbers.size() * sizeof(std::uint64_t));
  return numbers;
}

/// Returns the product of sets of coordinates. @param sides for each dimension (start, count,
/// stride, block), or an array of ascending coordinates as uint64
Selection product(
    const Typed<nb::list, "list[tuple[int, int, int, int] | typing_extensions.Buffer]">& sides) {
  std::vector<std::vector<Interval>> intervals;
  for (nb::handle side : sides) {
    auto& list = intervals.emplace_back();
    if (nb::isinstance<nb::tuple>(side)) {
      const auto slab = nb::cast<std::vector<std::uint64_t>>(side);
      const bool joined = slab.at(2) == slab.at(3);
      const std::uint64_t count = joined ? 1 : slab[1];
      const std::uint64_t block = joined ? slab[1] * slab[3] : slab[3];
      for (std::uint64_t i = 0; i < count; ++i)
        list.push_back({slab[0] + i * slab[2], slab[0] + i * slab[2] + block});
    } else {
      for (const std::uint64_t at : numbers_of(side)) list.push_back({at, at + 1});
    }
  }
  return Selection::product(intervals);
}

/// Returns start, stride, count and block of a hyperslab, as h5py's spaces do.
std::tuple<Extents, Extents, Extents, Extents> regular_hyperslab(const Selection& selection) {
  if (selection.kind() != Selection::Kind::hyperslab)
    throw nb::value_error("the selection is not a regular hyperslab");
  const Hyperslab& part = selection.hyperslab();
  const Shape ones(part.start.size(), 1);
  return {tuple_of(part.start), tuple_of(part.stride.empty() ? ones : part.stride),
          tuple_of(part.count), tuple_of(part.block.empty() ? ones : part.block)};
}

/// Returns the first and the last coordinates of each block, as h5py's spaces do.
std::vector<Corners> blocks_of(const Selection& selection) {
  std::vector<Corners> blocks;
  selection.for_each_block([&](std::span<const Interval> block) {
    Shape first, last;
    for (const Interval& side : block) {
      first.push_back(side.first);
      last.push_back(side.end - 1);
    }
    blocks.emplace_back(tuple_of(first), tuple_of(last));
  });
  return blocks;
}

}  // namespace

void bind_selection(nb::module_& m) {
  nb::class_<Selection>(m, "Selection", "A selection of elements of an array.")
      .def(nb::init<>(), "Selects all elements.")
      .def_static("none", &Selection::none)
      .def_static(
          "hyperslab",
          [](Shape start, Shape count, Shape stride, Shape block) {
            return Selection(
                Hyperslab{std::move(start), std::move(count), std::move(stride), std::move(block)});
          },
          nb::arg("start"), nb::arg("count"), nb::arg("stride") = Shape(),
          nb::arg("block") = Shape())
      .def_static(
          "points",
          [](std::size_t rank, Memory coordinates) {
            return Selection::points(rank, numbers_of(coordinates));
          },
          nb::arg("rank"), nb::arg("coordinates"), "coordinates: an array of uint64.")
      .def_static("product", &product, nb::arg("sides"))
      .def("element_count", &Selection::element_count)
      .def_prop_ro("rank", &Selection::rank)
      .def_prop_ro("is_all", [](const Selection& s) { return s.kind() == Selection::Kind::all; })
      .def_prop_ro("is_none", [](const Selection& s) { return s.kind() == Selection::Kind::none; })
      .def_prop_ro("is_unlimited", &Selection::is_unlimited)
      .def("is_regular_hyperslab",
           [](const Selection& s) { return s.kind() == Selection::Kind::hyperslab; })
      .def("get_regular_hyperslab", &regular_hyperslab, "start, stride, count, block")
      .def("get_select_hyper_blocklist", &blocks_of,
           "Lists the first and last coordinates of the blocks.")
      .def("clipped", &Selection::clipped, nb::arg("shape"))
      .def("complement", &Selection::complement, nb::arg("shape"))
      .def(
          "product_shape",
          [](const Selection& s) {
            const auto shape = s.product_shape();
            return shape ? std::optional(tuple_of(*shape)) : std::nullopt;
          },
          "The shape of an array that the elements fill; None if there is none.")
      .def("bounding_box",
           [](const Selection& s) {
             const Selection::Box box = s.bounding_box();
             return Corners(tuple_of(box.start), tuple_of(box.end));
           })
      .def(nb::self | nb::self)
      .def(nb::self & nb::self)
      .def(nb::self - nb::self)
      .def(nb::self ^ nb::self)
      .def(nb::self == nb::self, kEquals)
      .def("__hash__", &Selection::digest);
}
