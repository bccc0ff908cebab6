#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "onecast/objects/dataset.hpp"

namespace onecast {

class FileState;
class Node;
struct HeaderMessage;

/// Raw data of one dataset that lies in other files: slots of them, one behind the other.
class ExternalData {
 public:
  /// @param message External Data Files message of the dataset
  ExternalData(Node& dataset, const HeaderMessage& message);

  [[nodiscard]] const std::vector<ExternalSlot>& slots() const { return slots_; }

  /// The bytes from `offset` on, of all slots together; zeros where a file is shorter. Any number
  /// of threads may read at once. Throws Error: not_found (naming the file and where it was looked
  /// for), unsupported (option follow_external is off), format (there are fewer bytes), io.
  void read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  void read(const ExternalSlot& slot, std::uint64_t offset, std::span<std::byte> out) const;

  Node& dataset_;
  std::vector<ExternalSlot> slots_;
  std::vector<std::uint64_t> ends_;  ///< of the slots, in the dataset's bytes
};

}  // namespace onecast
