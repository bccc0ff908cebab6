#pragma once

#include <optional>

#include "base/namespaces.hpp"
#include "device/driver.hpp"

namespace onecast::device {

/// The device that some memory belongs to.
struct Place {
  const Driver* driver;
  void* context;  ///< null: the primary context of the device
  int ordinal;    ///< the number of the device
  /// The stream for copies. The default one waits for the work of all other streams, as far as
  /// these allow it.
  void* stream = nullptr;
};

/// Returns the device of memory at an address, or nothing if it is memory that the process can use.
/// Managed memory, and memory of the process that a driver knows, is such memory. Throws
/// DeviceError (invalid_argument) if neither the process nor a device can use it, such as freed
/// memory.
std::optional<Place> find_place(const Driver& driver, const void* address);
inline std::optional<Place> place_of(const void* address) {
  const Driver* known = driver();
  return known == nullptr || address == nullptr ? std::nullopt : find_place(*known, address);
}
/// Returns the device whose streams may use memory at an address: find_place(), or that of managed
/// memory and of memory of the process which the driver knows. Nothing for all other memory.
std::optional<Place> find_device(const Driver& driver, const void* address);
inline std::optional<Place> device_of(const void* address) {
  const Driver* known = driver();
  return known == nullptr || address == nullptr ? std::nullopt : find_device(*known, address);
}

/// Makes the context of a device the current one of this thread, as long as it exists.
class CurrentContext {
 public:
  explicit CurrentContext(const Place& place);
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext();

 private:
  void release() const;

  const Driver& driver_;
  std::optional<int> retained_;  ///< the device of which the primary context was taken
};

}  // namespace onecast::device
