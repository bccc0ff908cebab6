#pragma once

// Names of objects and files are UTF-8 by convention, but may have any bytes. Python sees them as
// str with "surrogateescape", so that every name survives the round trip.

#include <nanobind/nanobind.h>

#include <string>

struct Text {
  std::string bytes;
};

namespace nanobind::detail {

template <>
struct type_caster<Text> {
  NB_TYPE_CASTER(Text, io_name("str | bytes", "str"))

  bool from_python(handle source, std::uint8_t /*flags*/, cleanup_list* /*cleanup*/) noexcept {
    Py_ssize_t size = 0;
    if (PyUnicode_Check(source.ptr())) {
      // This works for all names that are valid UTF-8.
      if (const char* utf8 = PyUnicode_AsUTF8AndSize(source.ptr(), &size)) {
        value.bytes.assign(utf8, static_cast<std::size_t>(size));
        return true;
      }
      PyErr_Clear();
      object encoded = steal(PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogateescape"));
      if (encoded.is_valid()) return assign(encoded.ptr());
      PyErr_Clear();
      return false;
    }
    return PyBytes_Check(source.ptr()) && assign(source.ptr());
  }

  static handle from_cpp(const Text& text, rv_policy /*policy*/,
                         cleanup_list* /*cleanup*/) noexcept {
    return PyUnicode_DecodeUTF8(text.bytes.data(), static_cast<Py_ssize_t>(text.bytes.size()),
                                "surrogateescape");
  }

 private:
  bool assign(PyObject* source) noexcept {
    char* data = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(source, &data, &size) != 0) {
      PyErr_Clear();
      return false;
    }
    value.bytes.assign(data, static_cast<std::size_t>(size));
    return true;
  }
};

}  // namespace nanobind::detail

/// Returns the class and the text of a Python exception. The GIL must be held.
inline std::string words_of(nanobind::python_error& error) {
  const auto text = [](nanobind::handle value) { return nanobind::cast<Text>(value).bytes; };
  return text(error.type().attr("__name__")) + ": " + text(nanobind::str(error.value()));
}
