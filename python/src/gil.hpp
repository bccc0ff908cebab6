#pragma once

// Python's lock, and threads that Python stops.
//
// When the program ends, Python stops each daemon thread that waits for its lock. Python up to 3.13
// does that by pthread_exit, which unwinds the stack: what C++ says must not throw, and every
// `catch (...)`, would end the process with an error. So such a thread stays where it is, until the
// process has ended; later versions of Python do the same.

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <utility>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace nb = nanobind;

/// Calls what waits for Python's lock. Nothing in `work` may have a destructor that does something.
template <class F>
decltype(auto) until_python_stops(F&& work) {
#ifdef __GLIBCXX__
  try {
    return std::forward<F>(work)();
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  return std::forward<F>(work)();
#endif
}

/// Lets other threads of Python run.
class ReleasedGil {
 public:
  ReleasedGil() : state_(PyEval_SaveThread()) {}
  ReleasedGil(const ReleasedGil&) = delete;
  ReleasedGil& operator=(const ReleasedGil&) = delete;
  ~ReleasedGil() {
    until_python_stops([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

/// For a thread that may be one of C++.
class HeldGil {
 public:
  HeldGil() : state_(until_python_stops([] { return PyGILState_Ensure(); })) {}
  HeldGil(const HeldGil&) = delete;
  HeldGil& operator=(const HeldGil&) = delete;
  ~HeldGil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

/// What Python's `function` returns, called where the core waits for it. Throws nb::python_error.
template <class... Arguments>
nb::object call_python(const nb::object& function, Arguments&&... arguments) {
  const nb::tuple all = nb::make_tuple(std::forward<Arguments>(arguments)...);
  PyObject* made =
      until_python_stops([&] { return PyObject_CallObject(function.ptr(), all.ptr()); });
  if (made == nullptr) nb::raise_python_error();
  return nb::steal(made);
}
