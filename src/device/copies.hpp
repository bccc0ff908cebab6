#pragma once

#include <cstddef>

#include "base/namespaces.hpp"
#include "device/place.hpp"

namespace onecast::device {

/// Copies between memory of the process and of one device, in the stream of the place. In the
/// default stream they wait, as copies by the CUDA runtime do, for the work that the program gave
/// to the device before, except on streams that do not wait for others. They are carried out in the
/// order in which they were begun. Used by one thread.
class Copies {
 public:
  explicit Copies(const Place& place)
      : driver_(*place.driver), stream_(place.stream), context_(place) {}
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() { give_up(); }

  /// Copies `size` bytes. Pieces of one size at equal distances, one after the other, become one
  /// copy. The memory must stay until the copies are complete. Throws DeviceError (io) if the
  /// driver refuses a copy.
  void to_device(std::byte* device, const std::byte* host, std::size_t size) {
    add(Direction::to_device, device, host, size);
  }
  void from_device(std::byte* host, const std::byte* device, std::size_t size) {
    add(Direction::from_device, device, host, size);
  }
  /// Gives the driver all copies that it has not got yet.
  void begin();
  /// Waits until all copies are complete. Throws DeviceError (io) if one failed.
  void finish();
  /// Forgets copies that have not begun, and waits until the device uses no memory of the others.
  void give_up();

  /// An event happens when all copies before it are complete.
  void record(void* event);

 private:
  enum class Direction : unsigned char { to_device, from_device };
  /// Pieces at equal distances.
  struct Series {
    Direction direction;
    std::uintptr_t device;
    std::uintptr_t host;
    std::size_t size;  ///< of a piece, in bytes
    std::size_t pieces = 0;
    std::size_t device_distance = 0;
    std::size_t host_distance = 0;
  };

  void add(Direction direction, const std::byte* device, const std::byte* host, std::size_t size);
  [[nodiscard]] bool continues(const Series& next);
  void copy_one() const;
  void copy_rows() const;

  const Driver& driver_;
  void* stream_;
  CurrentContext context_;
  Series series_{};
  bool is_pending_ = false;
};

}  // namespace onecast::device
