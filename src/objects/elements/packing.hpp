#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/elements/arrangement.hpp"
#include "objects/nodes/node.hpp"
#include "types/conversion.hpp"

namespace onecast::elements {

/// The number of bytes of elements that are converted, or packed, at a time.
inline constexpr std::size_t kConvertedAtOnce = std::size_t{1} << 20U;

/// Packs and unpacks the elements of a read or write: between their places in the caller's memory
/// and the packed form, in which the selected elements are in C order and of the stored type.
class Packing {
 public:
  enum class Direction : std::uint8_t { reading, writing };

  /// Throws Error (invalid_argument) if the memory does not fit. `size` is the number of bytes of
  /// the caller's memory. If `layout` is null, the elements lie there in the order of the
  /// selection.
  Packing(Direction direction, Node& dataset, std::size_t size, const MemoryLayout* layout,
          const Selection& part, const std::optional<Datatype>& memory_type);

  [[nodiscard]] const BoundSelection& selection() const { return selection_; }
  [[nodiscard]] std::size_t packed_size() const {
    return static_cast<std::size_t>(selection_.element_count()) * stored_size_;
  }
  /// Returns true if packed elements are in the form that the caller wants.
  [[nodiscard]] bool is_direct() const { return arrangement_.is_packed() && !conversion_; }
  /// Returns true if the elements are packed or unpacked a part at a time, in a small buffer.
  /// Elements that fit into `room` bytes are not; nor are those whose target has more members,
  /// because these need all of the old contents.
  [[nodiscard]] bool works_by_parts(std::size_t room = kConvertedAtOnce) const;
  /// Returns true if packed elements can be put at the end of the caller's memory and unpacked from
  /// there.
  [[nodiscard]] bool works_in_place() const {
    return conversion_ && arrangement_.is_packed() && conversion_->works_in_place() &&
           conversion_->is_complete();
  }
  /// Returns true if packing preserves stored members that the caller's elements lack.
  [[nodiscard]] bool keeps_members() const { return conversion_ && !conversion_->is_complete(); }

  /// Unpacks all packed elements into the caller's memory.
  void unpack(std::span<const std::byte> packed, std::span<std::byte> out) const;
  /// Unpacks or packs a part: the packed elements from index `first` on.
  void unpack(std::span<const std::byte> packed, std::uint64_t first,
              std::span<std::byte> out) const;
  void pack(std::span<const std::byte> bytes, std::uint64_t first, std::span<std::byte> out) const;
  /// Returns the caller's elements, packed. `own` holds them if the caller's memory is not packed;
  /// if packing keeps members, it must hold the stored elements before the call.
  [[nodiscard]] std::span<const std::byte> pack(std::span<const std::byte> bytes,
                                                std::vector<std::byte>& own) const;

 protected:
  Node& node_;

 private:
  void pack_part(std::span<const std::byte> bytes, std::uint64_t first,
                 std::span<std::byte> out) const;
  /// Calls each(first, count) for blocks of elements that fit into a small buffer.
  template <class F>
  void in_blocks(std::uint64_t first, std::uint64_t count, F&& each) const;

  BoundSelection selection_;
  Arrangement arrangement_;
  std::optional<Conversion> conversion_;  ///< present if the types differ
  std::size_t stored_size_;               ///< the bytes of a stored element
  std::size_t memory_size_;
};

}  // namespace onecast::elements
