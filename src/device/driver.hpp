#pragma once

#include <atomic>

#include "base/namespaces.hpp"
#include "device/driver_functions.hpp"

namespace onecast::device {

/// Which driver the process uses.
struct DriverOfProcess {
  static const Driver kNotKnown;  ///< means that it is not known yet
  static std::atomic<const Driver*> known;
  static const Driver* look_for();
};

/// Returns the driver of devices that the process has loaded, or null. Where the machine has no
/// device, this is one load of a pointer. Onecast loads no driver by itself: a program that has
/// memory of a device has loaded it. The environment variable ONECAST_DEVICE_DRIVER names another
/// library that Onecast loads and uses, or is "none". Throws DeviceError (state) if that library
/// cannot be used.
inline const Driver* driver() {
  const Driver* known = DriverOfProcess::known.load(std::memory_order_acquire);
  return known == &DriverOfProcess::kNotKnown ? DriverOfProcess::look_for() : known;
}

}  // namespace onecast::device
