#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "onecast/space/selection.hpp"
#include "space/bound_selection.hpp"

namespace onecast::storage {

/// Where in the caller's memory the elements of a selection lie, of which the storage knows only
/// the set, in C order: "packed".
class Arrangement {
 public:
  /// `memory` null: one after the other, as they were selected. Throws Error (invalid_argument),
  /// after `where`, unless the memory takes as many elements.
  Arrangement(const BoundSelection& selection, const MemoryLayout* memory, const Where& where);

  /// Memory is packed already.
  [[nodiscard]] bool is_packed() const { return places_.empty() && !memory_; }
  /// Can a part of the packed elements be found in memory without going through all before it?
  [[nodiscard]] bool has_parts() const { return places_.empty(); }
  /// Elements of the caller's array.
  [[nodiscard]] std::uint64_t memory_count() const { return memory_count_; }

  /// Copies elements of `size` bytes from packed to the caller's memory, and back. Of elements that
  /// are written twice the last counts.
  void scatter(std::span<const std::byte> packed, std::span<std::byte> memory,
               std::size_t size) const;
  void gather(std::span<const std::byte> memory, std::span<std::byte> packed,
              std::size_t size) const;

  /// The same of `count` packed elements, from the one of number `first` on. Only if it has parts.
  void scatter(std::span<const std::byte> packed, std::uint64_t first, std::uint64_t count,
               std::span<std::byte> memory, std::size_t size) const;
  void gather(std::span<const std::byte> memory, std::uint64_t first, std::uint64_t count,
              std::span<std::byte> packed, std::size_t size) const;

 private:
  template <class F>
  void for_each_run_of_part(std::uint64_t first, std::uint64_t count, F&& each) const;
  /// Calls each(packed, memory, count): elements that are adjacent on both sides.
  template <class F>
  void for_each_run(F&& each) const;

  std::vector<std::uint64_t> places_;     ///< see BoundSelection
  std::optional<BoundSelection> memory_;  ///< its elements, if they are not one after the other
  std::vector<std::uint64_t> elements_;   ///< or the single ones, if those are not in order
  std::uint64_t memory_count_;
};

}  // namespace onecast::storage
