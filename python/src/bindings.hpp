#pragma once

#include <nanobind/nanobind.h>

#include <mutex>

namespace nb = nanobind;

/// Around every call into the core: lets other Python threads run, and one at a time into the core,
/// whose objects are not made for several threads. The lock is only waited for without the GIL.
class CoreCall {
 public:
  CoreCall() : lock_(mutex()) {}

 private:
  static std::mutex& mutex() {
    static std::mutex shared;
    return shared;
  }

  nb::gil_scoped_release released_;
  std::lock_guard<std::mutex> lock_;
};

using core_call = nb::call_guard<CoreCall>;

void bind_errors(nb::module_& m);
void bind_types(nb::module_& m);
void bind_objects(nb::module_& m);
void bind_dataset(nb::module_& m);
void bind_file(nb::module_& m);
void bind_mpi(nb::module_& m);
