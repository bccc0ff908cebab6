// Selections, and the quick way through the brackets of a dataset.

#include "onecast/space/selection.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/objects/dataset.hpp"

namespace {

using onecast::Dataset;
using onecast::Hyperslab;
using onecast::Interval;
using onecast::Selection;
using onecast::Shape;

std::vector<std::uint64_t> numbers_of(nb::handle array) {
  const ReadBuffer buffer(array);
  std::vector<std::uint64_t> numbers(buffer.bytes().size() / sizeof(std::uint64_t));
  if (!numbers.empty())
    std::memcpy(numbers.data(), buffer.bytes().data(), numbers.size() * sizeof(std::uint64_t));
  return numbers;
}

/// A side is (start, count, stride, block), or an array of ascending coordinates as uint64.
Selection product(const nb::list& sides) {
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

nb::object tuple_or_none(const std::optional<Shape>& shape) {
  if (!shape) return nb::none();
  return tuple_of(*shape);
}

/// As h5py's spaces give it: start, stride, count and block of a hyperslab.
nb::tuple regular_hyperslab(const Selection& selection) {
  if (selection.kind() != Selection::Kind::hyperslab)
    throw nb::value_error("the selection is no regular hyperslab");
  const Hyperslab& part = selection.hyperslab();
  const Shape ones(part.start.size(), 1);
  return nb::make_tuple(
      tuple_or_none(part.start), tuple_or_none(part.stride.empty() ? ones : part.stride),
      tuple_or_none(part.count), tuple_or_none(part.block.empty() ? ones : part.block));
}

/// The first and the last coordinates of each block, as h5py's spaces give them.
nb::list blocks_of(const Selection& selection) {
  nb::list blocks;
  selection.for_each_block([&](std::span<const Interval> block) {
    Shape first, last;
    for (const Interval& side : block) {
      first.push_back(side.first);
      last.push_back(side.end - 1);
    }
    blocks.append(nb::make_tuple(tuple_or_none(first), tuple_or_none(last)));
  });
  return blocks;
}

/// Reads what numbers, slices with positive steps and `...` select, of datasets whose elements are
/// numpy's as they are stored. For anything else, and for what is wrong, it is NotImplemented.
class QuickReader {
 public:
  QuickReader(Dataset dataset, nb::object dtype, nb::object empty)
      : dataset_(std::move(dataset)), dtype_(std::move(dtype)), empty_(std::move(empty)) {
    const CoreRead call;
    shape_ = dataset_.shape();
  }

  nb::object read(nb::handle args) const {
    Hyperslab part;
    part.count = shape_;
    PyObject* extents[kMaxRank];  // of the result
    std::size_t rank = 0;
    if (!parse(args, part, extents, rank)) {
      PyErr_Clear();
      return nb::borrow(Py_NotImplemented);
    }
    nb::object shape = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(rank)));
    for (std::size_t i = 0; i < rank; ++i)
      PyTuple_SetItem(shape.ptr(), static_cast<Py_ssize_t>(i), extents[i]);
    nb::object out = empty_(shape, dtype_);
    {
      const WriteBuffer buffer(out);
      const CoreRead call;
      dataset_.read(buffer.bytes(), std::move(part));
    }
    return rank == 0 ? nb::object(out[nb::tuple()]) : out;
  }

 private:
  static constexpr std::size_t kMaxRank = onecast::Dataspace::kMaxRank;

  /// `part.count`: the shape of the dataset, on return the selected part. False: not so simple.
  static bool parse(nb::handle args, Hyperslab& part, PyObject** extents, std::size_t& rank) {
    const std::size_t dimensions = part.count.size();
    if (dimensions == 0 || dimensions > kMaxRank) return false;
    part.start.assign(dimensions, 0);
    const bool several = PyTuple_Check(args.ptr());
    const auto given =
        several ? static_cast<std::size_t>(PyTuple_Size(args.ptr())) : std::size_t{1};
    std::size_t d = 0;
    bool dots = false;
    for (std::size_t i = 0; i < given; ++i) {
      PyObject* arg =
          several ? PyTuple_GetItem(args.ptr(), static_cast<Py_ssize_t>(i)) : args.ptr();
      if (arg == Py_Ellipsis) {
        if (dots || given - 1 > dimensions) return release(extents, rank);
        dots = true;
        for (const std::size_t end = dimensions - (given - 1 - i); d < end; ++d)
          extents[rank++] = PyLong_FromUnsignedLongLong(part.count[d]);
        continue;
      }
      if (d == dimensions || !side(arg, d, part, extents, rank)) return release(extents, rank);
      ++d;
    }
    for (; d < dimensions; ++d) extents[rank++] = PyLong_FromUnsignedLongLong(part.count[d]);
    return true;
  }

  static bool side(PyObject* arg, std::size_t d, Hyperslab& part, PyObject** extents,
                   std::size_t& rank) {
    if (part.count[d] > PY_SSIZE_T_MAX) return false;
    const auto extent = static_cast<Py_ssize_t>(part.count[d]);
    if (PySlice_Check(arg)) {
      Py_ssize_t start = 0, stop = 0, step = 0;
      if (PySlice_Unpack(arg, &start, &stop, &step) != 0 || step < 1) return false;
      const Py_ssize_t count = PySlice_AdjustIndices(extent, &start, &stop, step);
      part.count[d] = static_cast<std::uint64_t>(count);
      if (count > 0) part.start[d] = static_cast<std::uint64_t>(start);
      if (count > 1 && step > 1) {
        part.stride.resize(part.count.size(), 1);
        part.stride[d] = static_cast<std::uint64_t>(step);
      }
      extents[rank++] = PyLong_FromSsize_t(count);
      return true;
    }
    if (!PyLong_Check(arg) && !PyIndex_Check(arg)) return false;
    Py_ssize_t at = PyNumber_AsSsize_t(arg, PyExc_IndexError);
    if (at == -1 && PyErr_Occurred() != nullptr) return false;
    if (at < 0) at += extent;
    if (at < 0 || at >= extent) return false;
    part.start[d] = static_cast<std::uint64_t>(at);
    part.count[d] = 1;
    return true;
  }

  static bool release(PyObject** extents, std::size_t& rank) {
    while (rank > 0) Py_DECREF(extents[--rank]);
    return false;
  }

  Dataset dataset_;
  Shape shape_;
  nb::object dtype_;
  nb::object empty_;
};

}  // namespace

void bind_selection(nb::module_& m) {
  nb::class_<Selection>(m, "Selection", "Which elements of an array are meant; a value.")
      .def(nb::init<>(), "All elements.")
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
          [](std::size_t rank, nb::handle coordinates) {
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
      .def("get_select_hyper_blocklist", &blocks_of, "First and last coordinates of the blocks.")
      .def("clipped", &Selection::clipped, nb::arg("shape"))
      .def("complement", &Selection::complement, nb::arg("shape"))
      .def(
          "product_shape", [](const Selection& s) { return tuple_or_none(s.product_shape()); },
          "The shape of an array of its elements; None if they do not fill one.")
      .def("bounding_box",
           [](const Selection& s) {
             const Selection::Box box = s.bounding_box();
             return nb::make_tuple(tuple_or_none(box.start), tuple_or_none(box.end));
           })
      .def(nb::self | nb::self)
      .def(nb::self & nb::self)
      .def(nb::self - nb::self)
      .def(nb::self ^ nb::self)
      .def("__eq__", [](const Selection& a, const Selection& b) { return a == b; })
      .def("__eq__", [](const Selection&, nb::handle) { return false; })
      .def("__hash__", &Selection::digest);

  nb::class_<QuickReader>(m, "QuickReader")
      .def(nb::init<Dataset, nb::object, nb::object>(), nb::arg("dataset"), nb::arg("dtype"),
           nb::arg("empty"))
      .def("__call__", &QuickReader::read, nb::arg("args").none());
}
