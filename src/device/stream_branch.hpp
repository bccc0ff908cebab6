#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "device/place.hpp"

namespace onecast::device {

/// A stream that waits for the work which another stream has when it is made, and for nothing else.
/// Later work of the other stream does not wait for it.
class StreamBranch {
 public:
  /// Throws DeviceError (io) if the driver refuses. Does not wait.
  StreamBranch(const Place& place, std::uintptr_t stream);
  StreamBranch(const StreamBranch&) = delete;
  StreamBranch& operator=(const StreamBranch&) = delete;
  ~StreamBranch();

  [[nodiscard]] std::uintptr_t handle() const { return reinterpret_cast<std::uintptr_t>(stream_); }

 private:
  Place place_;
  void* stream_ = nullptr;
};

}  // namespace onecast::device
