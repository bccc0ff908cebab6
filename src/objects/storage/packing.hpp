#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/storage/arrangement.hpp"
#include "objects/tree/node.hpp"
#include "types/conversion.hpp"

namespace onecast::storage {

/// So many bytes of elements are converted, or packed, at a time.
inline constexpr std::size_t kConvertedAtOnce = std::size_t{1} << 20U;

/// How the elements of a read or write lie in the caller's memory, and how they get from there to
/// where they are packed: those of the selected set, in C order, as they are stored.
class Packing {
 public:
  enum class Direction : std::uint8_t { reading, writing };

  /// Checked: throws Error (invalid_argument) if the memory does not fit.
  /// `size`: bytes of the caller's memory; `layout` null: elements lie there as they are selected.
  Packing(Direction direction, Node& dataset, std::size_t size, const MemoryLayout* layout,
          const Selection& part, const std::optional<Datatype>& memory_type);

  [[nodiscard]] const BoundSelection& selection() const { return selection_; }
  [[nodiscard]] std::size_t packed_size() const {
    return static_cast<std::size_t>(selection_.element_count()) * stored_size_;
  }
  /// Do packed elements lie as the caller wants them?
  [[nodiscard]] bool is_direct() const { return arrangement_.is_packed() && !conversion_; }
  /// Does it take, or make, the packed elements a part at a time, in a small buffer? Not those that
  /// fit into `room` bytes; members that only the target has need all of what was there.
  [[nodiscard]] bool works_by_parts(std::size_t room = kConvertedAtOnce) const;
  /// May packed elements be put at the end of the caller's memory, and be unpacked from there?
  [[nodiscard]] bool works_in_place() const {
    return conversion_ && arrangement_.is_packed() && conversion_->works_in_place() &&
           conversion_->is_complete();
  }
  /// Does packing leave members as they are stored, which the caller's elements lack?
  [[nodiscard]] bool keeps_members() const { return conversion_ && !conversion_->is_complete(); }

  /// All packed elements to the caller's memory.
  void unpack(std::span<const std::byte> packed, std::span<std::byte> out) const;
  /// By parts: packed elements from number `first` on to the caller's memory, and back.
  void unpack(std::span<const std::byte> packed, std::uint64_t first,
              std::span<std::byte> out) const;
  void pack(std::span<const std::byte> bytes, std::uint64_t first, std::span<std::byte> out) const;
  /// The caller's elements, packed; `own` holds them if they are not so already, and before that,
  /// if packing keeps members, what is stored.
  [[nodiscard]] std::span<const std::byte> pack(std::span<const std::byte> bytes,
                                                std::vector<std::byte>& own) const;

 protected:
  Node& node_;

 private:
  void pack_part(std::span<const std::byte> bytes, std::uint64_t first,
                 std::span<std::byte> out) const;
  /// Calls each(first, count) for so many elements of a part as fit into a small buffer.
  template <class F>
  void in_blocks(std::uint64_t first, std::uint64_t count, F&& each) const;

  BoundSelection selection_;
  Arrangement arrangement_;
  std::optional<Conversion> conversion_;  ///< if the types differ
  std::size_t stored_size_;               ///< of an element
  std::size_t memory_size_;
};

}  // namespace onecast::storage
