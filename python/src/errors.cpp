// Raises an Error as the Python exception that the table of error kinds names.

#include <array>
#include <exception>
#include <string>

#include "bindings.hpp"
#include "onecast/base/error.hpp"
#include "onecast/base/error_kinds.hpp"

namespace {

using onecast::Error;
using onecast::ErrorCode;

struct Kind {
  ErrorCode code;
  const char* exception;
};
constexpr std::array kKinds = {
#define ONECAST_KIND(CODE, STATUS, TEXT, EXCEPTION) Kind{ErrorCode::CODE, #EXCEPTION},
    ONECAST_ERROR_KINDS(ONECAST_KIND)
#undef ONECAST_KIND
};

/// In the order of kKinds; never given back.
std::array<PyObject*, kKinds.size()> exceptions{};

PyObject* exception_of(ErrorCode code) {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (kKinds[i].code == code) return exceptions[i];
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

void add_exception(nb::module_& m, const char* name, PyObject* base, const char* text) {
  const std::string qualified = std::string("onecast.") + name;
  PyObject* created = PyErr_NewExceptionWithDoc(qualified.c_str(), text, base, nullptr);
  if (created == nullptr) throw nb::python_error();
  m.attr(name) = nb::steal(created);
}

}  // namespace

void bind_errors(nb::module_& m) {
#define ONECAST_EXCEPTION(NAME, BASE, TEXT) add_exception(m, #NAME, PyExc_##BASE, TEXT);
  ONECAST_PYTHON_EXCEPTIONS(ONECAST_EXCEPTION)
#undef ONECAST_EXCEPTION
  const nb::module_ builtins = nb::module_::import_("builtins");
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const char* name = kKinds[i].exception;
    const nb::object found = nb::hasattr(m, name) ? m.attr(name) : builtins.attr(name);
    exceptions[i] = nb::object(found).release().ptr();
  }
  nb::register_exception_translator([](const std::exception_ptr& pointer, void* /*payload*/) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      raise(error);
    }
  });
}
