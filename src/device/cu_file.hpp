#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "base/namespaces.hpp"
#include "device/driver_functions.hpp"

namespace onecast::device {

/// NVIDIA's cuFile (GPUDirect Storage), a library that transfers between files and memory of a
/// device. The functions that Onecast calls, by their names without "cuFile".
struct CuFile {
  /// The result of a function; cuFile calls it CUfileError_t.
  struct Result {
    int error;         ///< 0, or from 5000 on
    int driver_error;  ///< of CUDA's driver
  };
  /// cuFile calls it CUfileDescr_t.
  struct Description {
    int kind = 1;  ///< a descriptor of the operating system
    union {
      int descriptor;
      void* other;
    };
    const void* operations = nullptr;
  };

  Result (*driver_open)() = nullptr;
  Result (*handle_register)(void** handle, Description* description) = nullptr;
  void (*handle_deregister)(void* handle) = nullptr;
  ssize_t (*read)(void* handle, void* device, std::size_t size, off_t offset,
                  off_t in_device) = nullptr;
  ssize_t (*write)(void* handle, const void* device, std::size_t size, off_t offset,
                   off_t in_device) = nullptr;
};

/// Returns why cuFile cannot be used, or is not worth it; empty if it may be used. Loads nothing.
std::string hindrance_of_cu_file(const Driver& driver);

/// Loads and opens cuFile once. The environment variable ONECAST_CUFILE names another library than
/// libcufile.so.0, or is "none". Throws DeviceError (state) if that fails; with `again` it is tried
/// again after a failure.
const CuFile& cu_file(const Driver& driver, bool again);

}  // namespace onecast::device
