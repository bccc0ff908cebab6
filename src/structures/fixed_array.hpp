#pragma once

#include <optional>

#include "format/infra/fixed_array.hpp"
#include "structures/element_stretch.hpp"

namespace onecast {

/// Reads a fixed array. A copy is cheap and keeps what was decoded; one is for one thread.
class FixedArray {
 public:
  /// Reads the header.
  FixedArray(MetadataSource& source, Address header, bool filtered);

  [[nodiscard]] std::uint64_t size() const { return header_.max_entries; }
  [[nodiscard]] const ElementReader& reader() const { return reader_; }
  /// The stretch that element `number`, below size(), is in.
  ElementStretch stretch(std::uint64_t number);

 private:
  const FixedArrayDataBlock& data_block();

  MetadataSource* source_;
  Address address_;
  FixedArrayHeader header_;
  ElementReader reader_;
  std::uint64_t page_size_;  ///< elements of a page
  std::uint64_t pages_;      ///< 0: the elements lie in the data block
  std::optional<FixedArrayDataBlock> data_block_;
};

}  // namespace onecast
