#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/dataset.hpp"

namespace onecast::structures {
struct HeaderMessage;
}  // namespace onecast::structures

namespace onecast::contiguous {

/// The raw data of one dataset that lies in other files: slots, one after the other.
class ExternalData final : public LayoutStorage {
 public:
  /// @param message the External Data Files message of the dataset
  ExternalData(Node& dataset, const HeaderMessage& message);

  [[nodiscard]] const std::vector<ExternalSlot>& slots() const { return slots_; }

  /// Reads bytes from `offset` on, counted over all slots; zeros where a file is shorter. Any
  /// number of threads may read at once. Throws Error: not_found (naming the file and the places
  /// searched), unsupported (option follow_external is off), format (there are fewer bytes), io.
  void read(std::uint64_t offset, std::span<std::byte> out) const;
  /// Writes the bytes at `offset`; creates files that are missing. Throws Error: not_found (the
  /// folder of a file), unsupported, format, io.
  void write(std::uint64_t offset, std::span<const std::byte> bytes) const;

 private:
  /// Calls each(slot, offset in the slot, position in the bytes, size) for the parts of `size`
  /// bytes from `offset` on.
  template <class Each>
  void for_each_part(std::uint64_t offset, std::size_t size, Each&& each) const;
  void read(const ExternalSlot& slot, std::uint64_t offset, std::span<std::byte> out) const;
  void require_followed(const ExternalSlot& slot) const;

  Node& dataset_;
  std::vector<ExternalSlot> slots_;
  std::vector<std::uint64_t> ends_;  ///< the ends of the slots, in the dataset's bytes
};

/// Returns the external raw data of a dataset with that layout.
inline const ExternalData& external_data_of(const DatasetInfo& info) {
  return static_cast<const ExternalData&>(*info.storage);
}

}  // namespace onecast::contiguous
