#pragma once

// Python's lock (the GIL), and threads that Python stops.
//
// When the program ends, Python stops each daemon thread that waits for its lock. Up to version
// 3.13 it does so with pthread_exit, which unwinds the stack: every noexcept function and every
// `catch (...)` on it would end the process with an error. So such a thread waits here until the
// process has ended; later versions of Python do this themselves.

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <utility>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace nb = nanobind;

/// Calls a function that waits for Python's lock. `work` must not have objects with non-trivial
/// destructors.
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

/// Releases the GIL until the block ends.
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

/// Holds the GIL, also on a thread that C++ created.
class HeldGil {
 public:
  HeldGil() : state_(until_python_stops([] { return PyGILState_Ensure(); })) {}
  HeldGil(const HeldGil&) = delete;
  HeldGil& operator=(const HeldGil&) = delete;
  ~HeldGil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

/// Calls a Python function that the core waits for, and returns its result. Throws
/// nb::python_error.
template <class... Arguments>
nb::object call_python(const nb::object& function, Arguments&&... arguments) {
  const nb::tuple all = nb::make_tuple(std::forward<Arguments>(arguments)...);
  PyObject* made =
      until_python_stops([&] { return PyObject_CallObject(function.ptr(), all.ptr()); });
  if (made == nullptr) nb::raise_python_error();
  return nb::steal(made);
}
