#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "base/device_api.hpp"
#include "base/namespaces.hpp"
#include "onecast/base/error.hpp"

namespace onecast::device {

/// The sources and targets of a copy of rows. The drivers call this struct CUDA_MEMCPY2D and
/// hip_Memcpy2D.
struct CopyOfRows {
  struct Side {
    std::size_t first_byte = 0;
    std::size_t first_row = 0;
    unsigned memory_type = 0;
    const void* host = nullptr;
    std::uint64_t device = 0;
    void* array = nullptr;
    std::size_t pitch = 0;
  };
  Side from;
  Side to;
  std::size_t width = 0;  ///< in bytes
  std::size_t rows = 0;
};

/// Values of the drivers' enumerations, which CUDA and HIP share.
inline constexpr unsigned kHostMemory = 1;
inline constexpr unsigned kDeviceMemory = 2;
inline constexpr int kContextAttribute = 1;
inline constexpr int kMemoryTypeAttribute = 2;
inline constexpr int kIsManagedAttribute = 8;
inline constexpr int kOrdinalAttribute = 9;
inline constexpr unsigned kRegisteredForAll = 1;
inline constexpr unsigned kEventWithoutTime = 2;
inline constexpr unsigned kStreamOfItsOwn = 1;  ///< does not wait for the default stream
inline constexpr int kNotRegistered = 713;

/// A driver, or memory that it should know, cannot be used.
class DeviceError final : public Error {
 public:
  using Error::Error;
};

/// A function of a driver. It returns 0 or the number of an error.
template <class... Arguments>
struct DriverFunction {
  int (*function)(Arguments...) = nullptr;
  const char* name = "";

  int operator()(std::type_identity_t<Arguments>... arguments) const {
    return function(arguments...);
  }
};

/// The functions of a driver that Onecast calls. A driver that lacks one is not used.
struct Driver {
  DeviceApi api = DeviceApi::cuda;
  DriverFunction<void*, int, std::uint64_t> pointer_attribute;
  DriverFunction<int*, int> get_device;
  DriverFunction<void**, int> retain_primary_context;
  DriverFunction<int> release_primary_context;
  DriverFunction<void*> push_context;
  DriverFunction<void**> pop_context;
  DriverFunction<void*, std::size_t, unsigned> register_host;
  DriverFunction<void*> unregister_host;
  DriverFunction<std::uint64_t, const void*, std::size_t, void*> to_device;
  DriverFunction<void*, std::uint64_t, std::size_t, void*> from_device;
  DriverFunction<const CopyOfRows*, void*> copy_rows;
  DriverFunction<void*> wait_for_stream;
  DriverFunction<void**, unsigned> create_stream;
  DriverFunction<void*> destroy_stream;
  DriverFunction<void*, void*, unsigned> let_stream_wait;
  DriverFunction<void**, unsigned> create_event;
  DriverFunction<void*> destroy_event;
  DriverFunction<void*, void*> record_event;
  DriverFunction<void*> wait_for_event;
  DriverFunction<int, const char**> error_text;

  /// Calls each(function, CUDA's name, HIP's name).
  template <class F>
  void for_each_function(F&& each) {
    each(pointer_attribute, "cuPointerGetAttribute", "hipPointerGetAttribute");
    each(get_device, "cuDeviceGet", "hipDeviceGet");
    each(retain_primary_context, "cuDevicePrimaryCtxRetain", "hipDevicePrimaryCtxRetain");
    each(release_primary_context, "cuDevicePrimaryCtxRelease_v2", "hipDevicePrimaryCtxRelease");
    each(push_context, "cuCtxPushCurrent_v2", "hipCtxPushCurrent");
    each(pop_context, "cuCtxPopCurrent_v2", "hipCtxPopCurrent");
    each(register_host, "cuMemHostRegister_v2", "hipHostRegister");
    each(unregister_host, "cuMemHostUnregister", "hipHostUnregister");
    each(to_device, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync");
    each(from_device, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync");
    each(copy_rows, "cuMemcpy2DAsync_v2", "hipMemcpyParam2DAsync");
    each(wait_for_stream, "cuStreamSynchronize", "hipStreamSynchronize");
    each(create_stream, "cuStreamCreate", "hipStreamCreateWithFlags");
    each(destroy_stream, "cuStreamDestroy_v2", "hipStreamDestroy");
    each(let_stream_wait, "cuStreamWaitEvent", "hipStreamWaitEvent");
    each(create_event, "cuEventCreate", "hipEventCreateWithFlags");
    each(destroy_event, "cuEventDestroy_v2", "hipEventDestroy");
    each(record_event, "cuEventRecord", "hipEventRecord");
    each(wait_for_event, "cuEventSynchronize", "hipEventSynchronize");
    each(error_text, "cuGetErrorString", "hipDrvGetErrorString");
  }

  /// Calls a function. Throws DeviceError (io) with the driver's reason if it fails.
  template <class... Arguments>
  void must(const DriverFunction<Arguments...>& function,
            std::type_identity_t<Arguments>... arguments) const {
    if (const int result = function(arguments...); result != 0) fail(function.name, result);
  }
  /// Returns the driver's words for an error.
  [[nodiscard]] std::string words(int result) const;
  /// Throws the DeviceError (io) of a function that failed.
  [[noreturn]] void fail(const char* function, int result) const;
};

}  // namespace onecast::device
