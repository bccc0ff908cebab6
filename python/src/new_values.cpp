// Binds strings and sequences of variable length, and references, that are to be written.

#include "onecast/objects/new_values.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "object_array.hpp"
#include "onecast/objects/dataset.hpp"
#include "region_reference.hpp"
#include "text.hpp"

namespace {

using onecast::Dataset;
using onecast::Datatype;
using onecast::NewValues;
using onecast::Object;
using onecast::Reference;
using onecast::Selection;

nb::bytes bytes_of(const std::vector<std::byte>& bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

/// The elements, which are made one by one.
class Elements {
 public:
  Elements(const Datatype& type, std::size_t count)
      : size_(type.size()), bytes_(count * type.size()) {}
  std::span<std::byte> next() {
    const auto element = std::span(bytes_).subspan(done_, size_);
    done_ += size_;
    return element;
  }
  [[nodiscard]] nb::bytes bytes() const { return bytes_of(bytes_); }

 private:
  std::size_t size_;
  std::vector<std::byte> bytes_;
  std::size_t done_ = 0;
};

/// Returns the text of an object that is not a str in UTF-8.
Text other_text(nb::handle item) {
  Text text;
  if (item.is_none() || nb::try_cast(item, text)) return text;
  if (nb::isinstance<nb::str>(item))
    throw nb::value_error("a str with a lone surrogate cannot be stored: UTF-8 has none");
  throw nb::type_error(
      (std::string("a str or bytes is expected, not ") + nb::inst_name(item).c_str()).c_str());
}

/// Returns the elements for an array of str and bytes; None becomes an empty string.
nb::bytes new_strings(NewValues& values, const Datatype& type, Memory array) {
  const ObjectArray<ReadBuffer> objects(array);
  Elements elements(type, objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    PyObject* item = objects.at(i);
    Py_ssize_t size = 0;
    const char* utf8 = PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, &size) : nullptr;
    if (utf8 != nullptr) {
      values.string(type, {utf8, static_cast<std::size_t>(size)}, elements.next());
    } else {
      PyErr_Clear();
      values.string(type, other_text(item).bytes, elements.next());
    }
  }
  return elements.bytes();
}

/// Returns the type of all objects of an array; None if there are several types, or no objects.
Typed<nb::object, "type | None"> common_type(Memory array) {
  const ObjectArray<ReadBuffer> objects(array);
  if (objects.size() == 0) return nb::none();
  PyTypeObject* type = Py_TYPE(objects.at(0));
  for (std::size_t i = 1; i < objects.size(); ++i)
    if (Py_TYPE(objects.at(i)) != type) return nb::none();
  return nb::borrow<nb::object>(reinterpret_cast<PyObject*>(type));
}

/// Returns the elements for sequences. @param flat the elements of all sequences @param counts the
/// number of elements in each
nb::bytes new_sequences(NewValues& values, const Datatype& type,
                        const std::vector<std::size_t>& counts, Memory flat) {
  const ReadBuffer buffer(flat);
  Elements elements(type, counts.size());
  std::size_t done = 0;
  for (const std::size_t count : counts) {
    const std::size_t size = count * type.base().size();
    values.sequence(type, buffer.bytes().subspan(done, size), elements.next());
    done += size;
  }
  return elements.bytes();
}

/// Returns the elements for references; None becomes a null reference.
nb::bytes new_references(NewValues& values, const Datatype& type,
                         const Typed<nb::list, "list[Reference | None]">& items) {
  Elements elements(type, items.size());
  for (nb::handle item : items)
    values.reference(type, item.is_none() ? Reference() : nb::cast<Reference>(item),
                     elements.next());
  return elements.bytes();
}

}  // namespace

void bind_new_values(nb::module_& m) {
  m.def("common_type", &common_type, nb::arg("array"));
  nb::class_<NewValues>(m, "NewValues", "Keeps values, and makes elements that stand for them.")
      .def(nb::init<>())
      .def("strings", &new_strings, nb::arg("type"), nb::arg("array"))
      .def("sequences", &new_sequences, nb::arg("type"), nb::arg("counts"), nb::arg("elements"))
      .def("references", &new_references, nb::arg("type"), nb::arg("references"));
}

void bind_new_elements(nb::class_<Dataset, Object>& dataset) {
  const auto part = nb::arg("part");
  dataset.def(
      "region_reference",
      [](const Dataset& d, const Selection& selected) {
        const CoreCall call;
        return RegionReference(d.region_reference(selected));
      },
      part);
}
