#pragma once

#include "base/namespaces.hpp"
#include "device/driver_functions.hpp"

namespace onecast::device {

/// An event of a driver, which happens when a stream has done the work that it had before. It is
/// made in the current context of the thread. The driver keeps what others still need of it.
class Event {
 public:
  /// Throws DeviceError (io) if the driver refuses.
  explicit Event(const Driver& driver) : driver_(driver) {
    driver_.must(driver_.create_event, &event_, kEventWithoutTime);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { driver_.destroy_event(event_); }

  [[nodiscard]] void* get() const { return event_; }

 private:
  const Driver& driver_;
  void* event_ = nullptr;
};

}  // namespace onecast::device
