#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/storage/packing.hpp"
#include "objects/storage/selected_elements.hpp"

namespace onecast::storage {

/// So many bytes of elements are converted, or packed, at a time where all ranks take part, alike
/// on all of them.
std::size_t converted_together(const FileState& file);
/// Calls each(first byte, byte behind the last) for `bytes` bytes of whole elements, so many at a
/// time.
template <class F>
void for_each_round(const FileState& file, std::size_t bytes, std::size_t element, F&& each) {
  const std::size_t step = std::max<std::size_t>(1, converted_together(file) / element) * element;
  for (std::size_t at = 0; at < bytes; at += step) each(at, std::min(at + step, bytes));
}

/// A read or write of a dataset, checked.
class Transfer : public Packing {
 public:
  using Packing::Packing;

  /// From storage to the caller's memory.
  void read(std::span<std::byte> out) const;
  void read_packed(std::span<std::byte> packed) const { read_selected(node_, selection(), packed); }
  /// The caller's elements, packed; `own` holds them if they are not so already.
  [[nodiscard]] std::span<const std::byte> packed(std::span<const std::byte> bytes,
                                                  std::vector<std::byte>& own) const;
};

}  // namespace onecast::storage
