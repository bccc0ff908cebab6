#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "objects/storage/arrangement.hpp"
#include "objects/storage/raw_data.hpp"
#include "objects/tree/node.hpp"
#include "types/conversion.hpp"

namespace onecast {

/// So many bytes of elements are converted, or packed, at a time.
inline constexpr std::size_t kConvertedAtOnce = std::size_t{1} << 20U;
/// So many where all ranks take part, the same on all of them.
std::size_t converted_together(const FileState& file);
/// Calls each(first byte, byte behind the last) for `bytes` bytes of whole elements, so many at a
/// time.
template <class F>
void for_each_round(const FileState& file, std::size_t bytes, std::size_t element, F&& each) {
  const std::size_t step = std::max<std::size_t>(1, converted_together(file) / element) * element;
  for (std::size_t at = 0; at < bytes; at += step) each(at, std::min(at + step, bytes));
}

/// A read or write of a dataset, checked. Between storage and the caller's memory elements are
/// packed: those of the selected set, in C order, as they are stored.
class Transfer {
 public:
  enum class Direction : std::uint8_t { reading, writing };

  /// `size`: bytes of the caller's memory; `layout` null: elements lie there as they are selected.
  Transfer(Direction direction, Node& dataset, std::size_t size, const MemoryLayout* layout,
           const Selection& part, const std::optional<Datatype>& memory_type);

  [[nodiscard]] const BoundSelection& selection() const { return selection_; }
  [[nodiscard]] std::size_t packed_size() const {
    return static_cast<std::size_t>(selection_.element_count()) * stored_size_;
  }

  /// From storage to the caller's memory.
  void read(std::span<std::byte> out) const;
  /// Do packed elements lie as the caller wants them?
  [[nodiscard]] bool is_direct() const { return arrangement_.is_packed() && !conversion_; }
  void read_packed(std::span<std::byte> packed) const { read_selected(node_, selection_, packed); }
  /// Packed elements to the caller's memory.
  void unpack(std::span<const std::byte> packed, std::span<std::byte> out) const;

  /// Does it take, or make, the packed elements a part at a time, in a small buffer? Not those that
  /// fit into `room` bytes; members that only the target has need all of what was there.
  [[nodiscard]] bool works_by_parts(std::size_t room = kConvertedAtOnce) const;
  /// May packed elements be put at the end of the caller's memory, and be unpacked from there?
  [[nodiscard]] bool works_in_place() const {
    return conversion_ && arrangement_.is_packed() && conversion_->works_in_place() &&
           conversion_->is_complete();
  }
  /// Then: packed elements from number `first` on to the caller's memory, and back.
  void unpack(std::span<const std::byte> packed, std::uint64_t first,
              std::span<std::byte> out) const;
  void pack(std::span<const std::byte> bytes, std::uint64_t first, std::span<std::byte> out) const;

  /// The caller's elements, packed; `own` holds them if they are not so already.
  [[nodiscard]] std::span<const std::byte> pack(std::span<const std::byte> bytes,
                                                std::vector<std::byte>& own) const;

 private:
  void pack_part(std::span<const std::byte> bytes, std::uint64_t first,
                 std::span<std::byte> out) const;
  /// Calls each(first, count) for so many elements of a part as fit into a small buffer.
  template <class F>
  void in_blocks(std::uint64_t first, std::uint64_t count, F&& each) const;

  Node& node_;
  BoundSelection selection_;
  Arrangement arrangement_;
  std::optional<Conversion> conversion_;  ///< if the types differ
  std::size_t stored_size_;               ///< of an element
  std::size_t memory_size_;
};

}  // namespace onecast
