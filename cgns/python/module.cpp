// onecast._cgns: open CGNS files and their nodes. python/onecast/cgns converts them to trees of
// lists.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "file.hpp"
#include "gil.hpp"
#include "grammar/labels.hpp"
#include "typed.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace onecast::cgns;

namespace {

using Elements = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Room = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// Lists nodes, the arrays of their elements in memory, and the ranges that these fill: the first
/// index of the slowest dimension, and the number of indices; None: the whole value.
using Entries =
    Typed<nb::list, "list[tuple[Node, numpy.typing.NDArray[numpy.uint8], tuple[int, int] | None]]">;

template <class Array>
std::vector<Slice> slices_of(const nb::list& entries) {
  std::vector<Slice> slices;
  for (const nb::handle entry : entries) {
    const auto fields = nb::cast<nb::tuple>(entry);
    const auto array = nb::cast<Array>(fields[1]);
    Slice slice{
        nb::cast<Node*>(fields[0]),
        {reinterpret_cast<std::byte*>(const_cast<std::uint8_t*>(array.data())), array.nbytes()},
        {}};
    if (!fields[2].is_none())
      slice.rows = nb::cast<std::pair<std::uint64_t, std::uint64_t>>(fields[2]);
    slices.push_back(slice);
  }
  return slices;
}

/// Calls a method with the slices, without the GIL.
template <class Array, void (CgnsFile::*method)(const std::vector<Slice>&)>
void with_slices(CgnsFile& file, const Entries& entries) {
  const auto slices = slices_of<Array>(entries);
  const ReleasedGil released;
  (file.*method)(slices);
}

/// The extents of a value; empty if there is none. A null dataspace has no elements, but extents of
/// 1.
Dims extents_of(Node& node) {
  Dims extents = node.dims();
  if (extents == Dims{1} && node.data()->element_count() == 0) return {};
  return extents;
}

/// (name, label, type, extents, link); the link is (file, path) or None.
using Description =
    Typed<nb::tuple, "tuple[str, str, str, tuple[int, ...], tuple[str, str] | None]">;

Description describe(Node& node) {
  nb::object link = nb::none();
  if (node.is_link()) {
    const LinkTarget target = target_of(node.own_group());
    link = nb::make_tuple(target.file, target.path);
  }
  const bool leads = node.type() != ValueType::LK;
  const Dims extents = leads ? extents_of(node) : Dims();
  nb::list dims;
  for (const std::uint64_t extent : extents) dims.append(extent);
  return nb::make_tuple(node.name(), node.label_text(), text_of(node.type()).data(),
                        nb::tuple(dims), link);
}

std::vector<Node*> nodes_below(Node& node) {
  std::vector<Node*> found;
  for (const auto& child : node.children()) found.push_back(child.get());
  return found;
}

Node& create(Node& parent, const char* name, const std::string& label, const std::string& type,
             const Dims& dims, const std::optional<Elements>& elements) {
  Value value{value_type_of(type), dims};
  if (elements) value.bytes = std::as_bytes(std::span(elements->data(), elements->size()));
  return create_checked(parent, name, label, value);
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): the macro passes the module so
NB_MODULE(_cgns, m) {
  nb::set_leak_warnings(false);
  PyObject* error =
      PyErr_NewExceptionWithDoc("onecast.cgns.CgnsError", "What is no CGNS file, or cannot be one.",
                                PyExc_ValueError, nullptr);
  if (error == nullptr) throw nb::python_error();
  m.attr("CgnsError") = nb::borrow(error);
  nb::register_exception_translator(
      [](const std::exception_ptr& pointer, void* type) {
        try {
          std::rethrow_exception(pointer);
        } catch (const Failure& failure) {
          PyErr_SetString(static_cast<PyObject*>(type), failure.what());
        }
      },
      error);

  m.def(
      "types_of", [](const std::string& label) { return row_of(label_of(label)).types; },
      "label"_a);

  m.def(
      "dimensions_of",
      [](const std::string& label, const std::string& parent, const std::string& name) {
        for (const HeldRow& row : row_of(label_of(parent)).holds)
          if (row.name == name) return row.dimensions;
        return row_of(label_of(label)).dimensions;
      },
      "label"_a, "parent"_a, "name"_a);

  nb::class_<Node>(m, "Node")
      .def("describe", &describe)
      .def("path", &Node::path)
      .def("children", &nodes_below, nb::rv_policy::reference_internal)
      .def("find", nb::overload_cast<std::string_view>(&Node::find),
           nb::rv_policy::reference_internal)
      .def("create", &create, "name"_a, "label"_a, "type"_a, "dims"_a, "elements"_a.none(),
           nb::rv_policy::reference_internal)
      .def(
          "link",
          [](Node& node, const char* name, const std::string& file, const std::string& path) {
            create_checked_link(node, name, {file, path});
          },
          "name"_a, "file"_a, "path"_a);

  nb::class_<CgnsFile>(m, "File")
      .def(nb::init<const std::string&, int, const onecast::Communicator*>(), "path"_a, "mode"_a,
           "communicator"_a.none())
      .def("root", &CgnsFile::root, nb::rv_policy::reference_internal)
      .def("close", &CgnsFile::close)
      .def("abandon", &CgnsFile::abandon)
      .def("read", &with_slices<Room, &CgnsFile::read>)
      .def("read_alone", &with_slices<Room, &CgnsFile::read_alone>)
      .def("write", &with_slices<Elements, &CgnsFile::write>)
      .def("check",
           [](CgnsFile& file) {
             Typed<nb::list, "list[tuple[str, str]]"> found;
             for (const auto& [path, rule] : file.check()) found.append(nb::make_tuple(path, rule));
             return found;
           })
      .def("copy_to", &CgnsFile::copy_to)
      .def("adopt", &CgnsFile::adopt);
}
