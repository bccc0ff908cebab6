#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "fake_driver/fake_cufile.hpp"
#include "fake_driver/fake_driver.hpp"

namespace onecast::test {

/// The fake driver, which Onecast uses, too; or the functions of tests on a real one, in the
/// library ONECAST_TEST_DEVICE.
struct FakeDriver {
  FakeDriver() {
    const char* real = std::getenv("ONECAST_TEST_DEVICE");
    void* library = dlopen(real != nullptr ? real : std::getenv("ONECAST_DEVICE_DRIVER"), RTLD_NOW);
    if (library == nullptr) throw std::runtime_error(dlerror());
    find(library, "fake_allocate", allocate);
    find(library, "fake_allocate_without_context", allocate_without_context);
    find(library, "fake_allocate_managed", allocate_managed);
    find(library, "fake_free", free);
    find(library, "fake_store", store);
    find(library, "fake_load", load);
    find(library, "fake_stream", stream);
    find(library, "fake_put", put);
    find(library, "fake_hold", hold);
    find(library, "fake_release", release);
    find(library, "fake_failure", failure);
    find(library, "fake_calls", calls);
    find(library, "fake_registered", registered);
  }

  decltype(&fake_allocate) allocate;
  decltype(&fake_allocate_without_context) allocate_without_context;
  decltype(&fake_allocate_managed) allocate_managed;
  decltype(&fake_free) free;
  decltype(&fake_store) store;
  decltype(&fake_load) load;
  decltype(&fake_stream) stream;
  decltype(&fake_put) put;
  decltype(&fake_hold) hold;
  decltype(&fake_release) release;
  decltype(&fake_failure) failure;
  decltype(&fake_calls) calls;
  decltype(&fake_registered) registered;
  [[nodiscard]] bool is_real() const { return calls(nullptr) < 0; }

 private:
  template <class Function>
  static void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(name);
  }
};

inline const FakeDriver& fake() {
  static const FakeDriver only;
  return only;
}

/// The library that stands for cuFile.
struct FakeCuFile {
  FakeCuFile() {
    void* library = dlopen(ONECAST_FAKE_CUFILE, RTLD_NOW);
    if (library == nullptr) throw std::runtime_error(dlerror());
    failure = reinterpret_cast<decltype(failure)>(dlsym(library, "fake_cufile_failure"));
    calls = reinterpret_cast<decltype(calls)>(dlsym(library, "fake_cufile_calls"));
    handles = reinterpret_cast<decltype(handles)>(dlsym(library, "fake_cufile_handles"));
  }
  decltype(&fake_cufile_failure) failure;
  decltype(&fake_cufile_calls) calls;
  decltype(&fake_cufile_handles) handles;
};
inline const FakeCuFile& cu_file() {
  static const FakeCuFile only;
  return only;
}

/// Returns true if the driver is the fake one, by the names of CUDA, for which cuFile is.
inline bool is_fake_cuda() {
  return !fake().is_real() &&
         std::string(std::getenv("ONECAST_DEVICE_DRIVER")).find("hip") == std::string::npos;
}

/// An array in memory of the device.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count, bool has_context = true)
      : memory_(static_cast<T*>(has_context ? fake().allocate(count * sizeof(T))
                                            : fake().allocate_without_context(count * sizeof(T)))),
        count_(count) {}
  explicit DeviceArray(std::span<const T> values, bool has_context = true)
      : DeviceArray(values.size(), has_context) {
    fake().store(memory_, values.data(), values.size_bytes());
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { fake().free(memory_); }

  [[nodiscard]] std::span<T> span() const { return {memory_, count_}; }
  /// Returns what the device has now.
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> values(count_);
    fake().load(values.data(), memory_, count_ * sizeof(T));
    return values;
  }

 private:
  T* memory_;
  std::size_t count_;
};

}  // namespace onecast::test
