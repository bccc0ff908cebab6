#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "device/place.hpp"
#include "objects/together/prepared_write.hpp"

namespace onecast::together {

/// Returns true if the elements of a write go into messages from memory of a device: if the option
/// `device_io` wants that, and the ranks' messages and the elements allow it.
bool is_sent_from_device(FileState& file, const WritePart& part);

/// Elements of a write in memory of a device, for the messages of one round. As long as this
/// exists, the context of the device is the current one, as an MPI expects it.
class DeviceRound final : public FarBytes {
 public:
  /// The bytes [first, end) of the packed elements. `room` is for a copy of them. Waits for the
  /// stream of the write, of which messages know nothing. Throws Error (io).
  DeviceRound(const WritePart& part, std::size_t first, std::size_t end, Buffer& room);

  [[nodiscard]] std::span<const std::byte> bytes() const override {
    return part_.write.bytes.subspan(first_, size_);
  }
  [[nodiscard]] std::span<const std::byte> copy() const override;
  [[nodiscard]] bool is_copied() const { return is_copied_; }

 private:
  const WritePart& part_;
  std::size_t first_;
  std::size_t size_;
  Buffer& room_;
  std::optional<device::CurrentContext> context_;
  mutable bool is_copied_ = false;
};

}  // namespace onecast::together
