#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/elements/packing.hpp"

namespace onecast::any_layout {

/// Returns the number of bytes of elements that are converted, or packed, at a time in a collective
/// transfer; equal on all ranks.
std::size_t converted_together(const FileState& file);
/// Calls each(first byte, byte behind the last) for rounds of whole elements, `bytes` bytes in all.
template <class F>
void for_each_round(const FileState& file, std::size_t bytes, std::size_t element, F&& each) {
  const std::size_t step = std::max<std::size_t>(1, converted_together(file) / element) * element;
  for (std::size_t at = 0; at < bytes; at += step) each(at, std::min(at + step, bytes));
}

/// A checked read or write of a dataset.
class Transfer : public Packing {
 public:
  using Packing::Packing;

  /// Reads from storage into the caller's memory.
  void read(std::span<std::byte> out) const;
  void read_packed(std::span<std::byte> packed) const { read_selected(node_, selection(), packed); }
  /// Returns the caller's elements, packed. `own` holds them if the caller's memory is not packed.
  [[nodiscard]] std::span<const std::byte> packed(std::span<const std::byte> bytes,
                                                  std::vector<std::byte>& own) const;
};

}  // namespace onecast::any_layout
