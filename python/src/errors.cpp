// Raises an Error as the Python exception that the table of error kinds names.

#include <array>
#include <exception>
#include <sstream>
#include <string>

#include "bindings.hpp"
#include "forgotten.hpp"
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

/// The exceptions in the order of kKinds; never freed.
std::array<PyObject*, kKinds.size()> exceptions{};

PyObject* exception_of(ErrorCode code) {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (kKinds[i].code == code) return exceptions[i];
  return PyExc_RuntimeError;
}

/// Returns the text, and adds what users of Python can do about the error.
std::string text_of(const Error& error) {
  std::string text = error.what();
  if (error.code() == ErrorCode::unsupported &&
      text.find(": not supported: filter ") != std::string::npos)
    text += " (onecast.load_filter_plugins, or `import hdf5plugin`, registers plug-ins)";
  return text;
}

void raise(const Error& error) {
  if (error.code() == ErrorCode::state && is_left_behind()) {
    // The end of the program has closed the thread's file: the thread ends silently.
    PyErr_SetNone(PyExc_SystemExit);
    return;
  }
  const std::string what = text_of(error);
  nb::object text = nb::steal(
      PyUnicode_DecodeUTF8(what.data(), static_cast<Py_ssize_t>(what.size()), "backslashreplace"));
  // Python itself chooses the class for an errno: FileNotFoundError, PermissionError ...
  if (error.system_errno() != 0) {
    PyErr_SetObject(PyExc_OSError, nb::make_tuple(error.system_errno(), text).ptr());
  } else {
    PyErr_SetObject(exception_of(error.code()), text.ptr());
  }
}

/// @param bases names of built-in classes
void add_exception(nb::module_& m, const char* name, const char* bases, const char* text) {
  const std::string qualified = std::string("onecast.") + name;
  const nb::module_ builtins = nb::module_::import_("builtins");
  nb::list found;
  std::istringstream names(bases);
  for (std::string base; names >> base;) found.append(builtins.attr(base.c_str()));
  PyObject* created =
      PyErr_NewExceptionWithDoc(qualified.c_str(), text, nb::tuple(found).ptr(), nullptr);
  if (created == nullptr) throw nb::python_error();
  m.attr(name) = nb::steal(created);
}

}  // namespace

void bind_errors(nb::module_& m) {
#define ONECAST_EXCEPTION(NAME, BASES, TEXT) add_exception(m, #NAME, BASES, TEXT);
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
