// Which Python exception an Error becomes: the one table.

#include <array>

#include "bindings.hpp"
#include "onecast/base/error.hpp"

namespace {

using onecast::Error;
using onecast::ErrorCode;

PyObject* format_error = nullptr;
PyObject* unsupported_error = nullptr;
PyObject* diverged_error = nullptr;

PyObject* exception_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::already_exists:
    case ErrorCode::state:
      return PyExc_ValueError;
    case ErrorCode::not_found:
      return PyExc_KeyError;
    case ErrorCode::io:
      return PyExc_OSError;
    case ErrorCode::format:
      return format_error;
    case ErrorCode::unsupported:
      return unsupported_error;
    case ErrorCode::diverged:
      return diverged_error;
  }
  return PyExc_RuntimeError;
}

void raise(const Error& error) {
  nb::object text = nb::steal(PyUnicode_DecodeUTF8(
      error.what(), static_cast<Py_ssize_t>(std::char_traits<char>::length(error.what())),
      "backslashreplace"));
  // With an errno Python itself chooses the class: FileNotFoundError, PermissionError ...
  if (error.system_errno() != 0) {
    PyErr_SetObject(PyExc_OSError, nb::make_tuple(error.system_errno(), text).ptr());
  } else {
    PyErr_SetObject(exception_of(error.code()), text.ptr());
  }
}

PyObject* add_exception(nb::module_& m, const char* name, const char* doc, PyObject* base) {
  const std::string qualified = std::string("onecast.") + name;
  PyObject* created = PyErr_NewExceptionWithDoc(qualified.c_str(), doc, base, nullptr);
  if (created == nullptr) throw nb::python_error();
  m.attr(name) = nb::borrow(created);
  return created;
}

}  // namespace

void bind_errors(nb::module_& m) {
  format_error = add_exception(m, "FormatError",
                               "The bytes of a file are not what the HDF5 specification allows.",
                               PyExc_OSError);
  unsupported_error =
      add_exception(m, "UnsupportedError",
                    "Valid HDF5 that Onecast cannot read or write faithfully; names the feature.",
                    PyExc_NotImplementedError);
  diverged_error = add_exception(m, "DivergedError",
                                 "Ranks of one communicator made different calls, or one left the "
                                 "file; raised on all of them.",
                                 PyExc_RuntimeError);
  nb::register_exception_translator([](const std::exception_ptr& pointer, void* /*payload*/) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      raise(error);
    }
  });
}
