#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "device/copies.hpp"
#include "onecast/space/selection.hpp"
#include "space/bound_selection.hpp"

namespace onecast::elements {

/// Maps the elements of a selection to the caller's memory. The storage sees them only as a set in
/// C order, called "packed".
class Arrangement {
 public:
  /// If `memory` is null, the elements lie contiguously in the order of the selection. Throws Error
  /// (invalid_argument), after `where`, unless the memory takes as many elements.
  Arrangement(const BoundSelection& selection, const MemoryLayout* memory, const Where& where);

  /// Returns true if the memory is packed already.
  [[nodiscard]] bool is_packed() const { return positions_.empty() && !memory_; }
  /// Returns true if a part of the packed elements can be located in memory without going through
  /// all elements before it.
  [[nodiscard]] bool has_parts() const { return positions_.empty(); }
  /// Returns the number of elements of the caller's array.
  [[nodiscard]] std::uint64_t memory_count() const { return memory_count_; }

  /// Copies elements of `size` bytes from packed to the caller's memory, and back. If an element is
  /// written twice, the last value counts.
  void scatter(std::span<const std::byte> packed, std::span<std::byte> memory,
               std::size_t size) const;
  void gather(std::span<const std::byte> memory, std::span<std::byte> packed,
              std::size_t size) const;

  /// Copies `count` packed elements, from index `first` on. Requires has_parts().
  void scatter(std::span<const std::byte> packed, std::uint64_t first, std::uint64_t count,
               std::span<std::byte> memory, std::size_t size) const;
  void gather(std::span<const std::byte> memory, std::uint64_t first, std::uint64_t count,
              std::span<std::byte> packed, std::size_t size) const;

  /// Begins copies of packed elements, from index `first` on, to the caller's memory of a device,
  /// and back. Requires has_parts() unless these are all elements.
  void scatter(std::span<const std::byte> packed, std::uint64_t first, std::span<std::byte> memory,
               std::size_t size, device::Copies& copies) const;
  void gather(std::span<const std::byte> memory, std::uint64_t first, std::span<std::byte> packed,
              std::size_t size, device::Copies& copies) const;

 private:
  template <class F>
  void for_each_run_of(std::uint64_t first, std::uint64_t count, F&& each) const;
  template <class F>
  void for_each_run_of_part(std::uint64_t first, std::uint64_t count, F&& each) const;
  /// Calls each(packed, memory, count) for runs of elements that are adjacent on both sides.
  template <class F>
  void for_each_run(F&& each) const;

  std::vector<std::uint64_t> positions_;  ///< see BoundSelection
  std::optional<BoundSelection> memory_;  ///< its elements, if they are not contiguous
  std::vector<std::uint64_t> elements_;   ///< or its single elements, if they are not in order
  std::uint64_t memory_count_;
};

}  // namespace onecast::elements
