// Reads `dataset[...]` without Python code where that is possible.

#include "brackets.hpp"

#include <utility>
#include <vector>

#include "buffer.hpp"
#include "onecast/objects/variable_values.hpp"
#include "plain_types.hpp"

namespace {

using onecast::Dataset;
using onecast::Dataspace;
using onecast::Datatype;
using onecast::Hyperslab;
using onecast::TypeClass;

constexpr std::size_t kMaxRank = Dataspace::kMaxRank;

bool release(PyObject** extents, std::size_t& rank) {
  while (rank > 0) Py_DECREF(extents[--rank]);
  return false;
}

bool side(PyObject* arg, std::size_t d, Hyperslab& part, PyObject** extents, std::size_t& rank) {
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

/// Parses the arguments. `part.count` is the shape of the dataset, and on return that of the
/// selected part. Returns false if the arguments are not that simple.
bool parse(nb::handle args, Hyperslab& part, PyObject** extents, std::size_t& rank) {
  const std::size_t dimensions = part.count.size();
  if (dimensions > kMaxRank) return false;
  part.start.assign(dimensions, 0);
  const bool several = PyTuple_Check(args.ptr());
  const auto given = several ? static_cast<std::size_t>(PyTuple_Size(args.ptr())) : std::size_t{1};
  if (dimensions == 0) return given == 0;
  std::size_t d = 0;
  bool dots = false;
  for (std::size_t i = 0; i < given; ++i) {
    PyObject* arg = several ? PyTuple_GetItem(args.ptr(), static_cast<Py_ssize_t>(i)) : args.ptr();
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

/// Returns a single string of variable length.
nb::object text_at(const Dataset& dataset, const Datatype& type, Hyperslab part) {
  std::string text;
  {
    const CoreRead call;
    std::vector<std::byte> element(type.size());
    dataset.read(std::span(element), std::move(part));
    text = onecast::VariableValues(dataset).string(type, element);
  }
  return nb::bytes(text.data(), text.size());
}

}  // namespace

Any read_brackets(const Dataset& dataset, nb::handle args) {
  Hyperslab part;
  const Datatype* type = nullptr;
  {
    const CoreRead call;
    if (dataset.dataspace().kind() == Dataspace::Kind::null) return not_implemented();
    part.count = dataset.shape();
    type = &dataset.datatype();
  }
  const bool is_text = type->type_class() == TypeClass::variable_string;
  const auto plain = is_text ? nullptr : plain_type(*type);
  PyObject* extents[kMaxRank];  // extents of the result
  std::size_t rank = 0;
  if (!is_text && (!plain || plain->memory)) return not_implemented();
  if (!parse(args, part, extents, rank)) {
    PyErr_Clear();
    return not_implemented();
  }
  if (is_text) {
    const bool single = rank == 0;
    release(extents, rank);
    return single ? text_at(dataset, *type, std::move(part)) : not_implemented();
  }
  nb::tuple shape = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(rank)));
  for (std::size_t i = 0; i < rank; ++i)
    PyTuple_SetItem(shape.ptr(), static_cast<Py_ssize_t>(i), extents[i]);
  nb::object out = plain->array(shape);
  {
    const WriteBuffer buffer(out);
    const CoreRead call;
    dataset.read(buffer.bytes(), std::move(part));
  }
  return rank == 0 ? nb::object(out[nb::tuple()]) : out;
}
