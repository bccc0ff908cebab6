#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "device/copies.hpp"
#include "device/event.hpp"

namespace onecast::device {

/// Two buffers through which data goes between a device and a file, part after part: buffer k % 2
/// is for part k. While the device copies from or to one of them, the other is free for the file.
/// The driver knows their memory, so that it copies at full speed; if it does not take it, it
/// copies more slowly.
class Staging {
 public:
  /// Each buffer has `size` bytes. Throws DeviceError (io), std::bad_alloc.
  Staging(const Place& place, std::size_t size);
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  /// Waits until the device uses no buffer.
  ~Staging();

  [[nodiscard]] Copies& copies() { return copies_; }
  /// Returns the buffer of part k, when the device does not use it any more.
  std::span<std::byte> buffer(std::size_t k);
  /// Tells that the copies from, or to, the buffer of part k have begun.
  void begun(std::size_t k);
  /// Waits until all copies are complete.
  void finish() { copies_.finish(); }

 private:
  /// One piece of memory for both buffers. It is kept for the next transfer, since it takes long
  /// until the driver knows it.
  class Memory {
   public:
    Memory(const Driver& driver, std::size_t size);
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory();

    [[nodiscard]] std::byte* data() { return bytes_.data(); }

   private:
    const Driver& driver_;
    Buffer bytes_;
  };
  /// The end of the copies of a part.
  struct End {
    explicit End(const Driver& driver) : event(driver) {}

    Event event;
    bool is_awaited = false;
  };

  const Driver& driver_;
  std::size_t size_;
  Copies copies_;
  Memory memory_;
  std::array<End, 2> ends_;
};

}  // namespace onecast::device
