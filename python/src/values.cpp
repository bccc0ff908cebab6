// Binds values that elements refer to: strings and sequences of variable length, references.

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "bindings.hpp"
#include "buffer.hpp"
#include "object_array.hpp"
#include "onecast/objects/group.hpp"
#include "onecast/objects/variable_values.hpp"
#include "onecast/types/convert.hpp"
#include "region_reference.hpp"
#include "text.hpp"

namespace {

using onecast::Datatype;
using onecast::Reference;
using onecast::VariableValues;

using References = Typed<nb::list, "list[Reference]">;

/// Calls each(element) for all elements in the buffer, without the GIL.
template <class F>
void for_each_element(const Datatype& type, Memory data, F&& each) {
  const ReadBuffer buffer(data);
  const auto bytes = buffer.bytes();
  const CoreRead call;
  for (std::size_t at = 0; at + type.size() <= bytes.size(); at += type.size())
    each(bytes.subspan(at, type.size()));
}

/// Puts the elements into an array of objects: as bytes, or as str, decoded from UTF-8 with these
/// `errors`. They are read in blocks that stay in the processor's cache, since Python objects
/// cannot be made during a read.
void strings(VariableValues& values, const Datatype& type, Memory data, Memory array,
             const std::optional<std::string>& errors) {
  constexpr std::size_t kAtOnce = 4096;
  const ReadBuffer buffer(data);
  const std::size_t count = buffer.bytes().size() / type.size();
  const ObjectArray<WriteBuffer> objects(array);
  objects.require_size(count);
  std::string all;
  std::vector<std::size_t> ends;
  for (std::size_t first = 0; first < count; first += kAtOnce) {
    const std::size_t some = std::min(kAtOnce, count - first);
    all.clear();
    ends.clear();
    {
      const CoreRead call;
      values.for_each_string(type, buffer.bytes().subspan(first * type.size(), some * type.size()),
                             [&](std::string_view text) {
                               all += text;
                               ends.push_back(all.size());
                             });
    }
    std::size_t begin = 0;
    for (std::size_t i = 0; i < some; ++i) {
      const auto size = static_cast<Py_ssize_t>(ends[i] - begin);
      PyObject* text = errors ? PyUnicode_DecodeUTF8(all.data() + begin, size, errors->c_str())
                              : PyBytes_FromStringAndSize(all.data() + begin, size);
      if (text == nullptr) throw nb::python_error();
      objects.set(first + i, text);
      begin = ends[i];
    }
  }
}

/// Returns (the number of elements in each sequence, the elements of all sequences).
std::pair<std::vector<std::uint64_t>, nb::bytes> sequences(VariableValues& values,
                                                           const Datatype& type, Memory data) {
  std::string all;
  std::vector<std::uint64_t> counts;
  for_each_element(type, data, [&](std::span<const std::byte> element) {
    const VariableValues::Sequence found = values.sequence(type, element);
    all.append(reinterpret_cast<const char*>(found.bytes.data()), found.bytes.size());
    counts.push_back(found.count);
  });
  return {std::move(counts), nb::bytes(all.data(), all.size())};
}

References references(VariableValues& values, const Datatype& type, Memory data) {
  std::vector<Reference> found;
  for_each_element(type, data, [&](std::span<const std::byte> element) {
    found.push_back(values.reference(type, element));
  });
  References list;
  for (Reference& reference : found) {
    const bool region = reference.kind == onecast::ReferenceKind::region ||
                        reference.kind == onecast::ReferenceKind::revised_region;
    if (region)
      list.append(RegionReference(std::move(reference)));
    else
      list.append(std::move(reference));
  }
  return list;
}

onecast::Selection region(const VariableValues& values, const Reference& reference,
                          std::size_t rank) {
  const CoreRead call;
  return values.region(reference, rank);
}

/// Returns the reference as one to an object in the file of that name, without opening the file.
template <class R>
R in_file(R reference, const Text& name) {
  reference.file = name.bytes;
  return reference;
}

std::string describe(const char* what, const Reference& reference) {
  return std::string("<HDF5 ") + what + " reference" + (reference.address ? ">" : " (null)>");
}

}  // namespace

void bind_values(nb::module_& m) {
  nb::class_<Reference>(m, "Reference", "Leads to an object: `file[reference]`.")
      .def(nb::init<>())
      .def("in_file", &in_file<Reference>, nb::arg("name"),
           "A reference to this object in another file, written as revised_ref_dtype. `name` as in "
           "an "
           "ExternalLink.")
      .def("__bool__", [](const Reference& r) { return r.address.has_value(); })
      .def_prop_ro("kind", [](const Reference& r) { return r.kind; })
      .def_prop_ro(
          "typecode", [](const Reference&) { return 0; }, "h5r.OBJECT, or h5r.DATASET_REGION.")
      .def_prop_ro(
          "typesize", [](const Reference&) { return 8; },
          "The size of a reference in a file, in bytes.")
      .def_prop_ro(
          "address", [](const Reference& r) { return r.address; },
          "The address of the object; None if the reference was never set.")
      .def_prop_ro(
          "attribute", [](const Reference& r) { return Text{r.attribute}; },
          "The name of the attribute to which it leads, or empty.")
      .def_prop_ro(
          "file", [](const Reference& r) { return Text{r.file}; },
          "The name of the file that holds the object; empty: the same file.")
      .def(nb::self == nb::self, kEquals)
      .def("__hash__", [](const Reference& r) { return r.address.value_or(0); })
      .def("__repr__", [](const Reference& r) { return describe("object", r); });
  nb::class_<RegionReference, Reference>(m, "RegionReference",
                                         "Leads to a part of a dataset: `dataset[reference]`.")
      .def(nb::init<>())
      .def("in_file", &in_file<RegionReference>, nb::arg("name"))
      .def_prop_ro("typecode", [](const RegionReference&) { return 1; })
      .def_prop_ro("typesize", [](const RegionReference&) { return 12; })
      .def("__repr__", [](const RegionReference& r) { return describe("region", r); });

  nb::class_<VariableValues>(m, "VariableValues")
      .def(
          "__init__",
          [](VariableValues* self, const onecast::Object& object) {
            new (self) VariableValues(object);
          },
          nb::arg("object"))
      .def("strings", &strings, nb::arg("type"), nb::arg("data"), nb::arg("array"),
           nb::arg("errors").none())
      .def("sequences", &sequences)
      .def("references", &references)
      .def("region", &region, nb::arg("reference"), nb::arg("rank"));

  m.def("convert", [](const Datatype& from, Memory in, const Datatype& to, Memory out) {
    const ReadBuffer source(in);
    const WriteBuffer target(out);
    const CoreRead call;
    onecast::convert(from, source.bytes(), to, target.bytes());
  });
}
