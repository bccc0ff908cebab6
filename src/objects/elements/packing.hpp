#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "device/copies.hpp"
#include "objects/elements/arrangement.hpp"
#include "objects/nodes/node.hpp"
#include "types/conversion.hpp"

namespace onecast::elements {

/// The number of bytes of elements that are converted, or packed, at a time.
inline constexpr std::size_t kConvertedAtOnce = std::size_t{1} << 20U;

/// Calls work(), and names the dataset in the error of a device.
template <class F>
auto naming_dataset(const Node& dataset, F&& work) {
  try {
    return work();
  } catch (const device::DeviceError& error) {
    throw Error(error.code(), dataset.where() + ": " + error.what(), error.system_errno());
  }
}

/// Packs and unpacks the elements of a read or write: between their places in the caller's memory
/// and the packed form, in which the selected elements are in C order and of the stored type.
class Packing {
 public:
  enum class Direction : std::uint8_t { reading, writing };

  /// Throws Error (invalid_argument) if the memory does not fit. `memory` is the caller's memory,
  /// which may be a device's; it is not touched. If `layout` is null, the elements lie there in the
  /// order of the selection. `stream`: see TransferRequest; if the memory is managed or
  /// page-locked, it is waited for here.
  Packing(Direction direction, Node& dataset, std::span<const std::byte> memory,
          const MemoryLayout* layout, const Selection& part,
          const std::optional<Datatype>& memory_type, std::optional<std::uintptr_t> stream = {});

  [[nodiscard]] const BoundSelection& selection() const { return selection_; }
  [[nodiscard]] std::size_t packed_size() const {
    return static_cast<std::size_t>(selection_.element_count()) * stored_size_;
  }
  /// Returns true if packed elements are in the form that the caller wants.
  [[nodiscard]] bool is_direct() const { return is_packed() && !conversion_; }
  /// Returns true if the caller's memory, also of a device, has the packed elements as they are.
  [[nodiscard]] bool keeps_bytes() const { return arrangement_.is_packed() && !conversion_; }
  /// Returns the device that the caller's memory belongs to, or nothing if it is the process's own.
  [[nodiscard]] const std::optional<device::Place>& place() const { return device_; }
  /// Returns true if the elements are packed or unpacked a part at a time, in a small buffer.
  /// Elements that fit into `room` bytes are not; nor are those whose target has more members,
  /// because these need all of the old contents.
  [[nodiscard]] bool works_by_parts(std::size_t room = kConvertedAtOnce) const;
  /// Returns true if packed elements can be put at the end of the caller's memory and unpacked from
  /// there.
  [[nodiscard]] bool works_in_place() const {
    return conversion_ && is_packed() && conversion_->works_in_place() &&
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

  /// Returns the number of bytes of an element of the caller.
  [[nodiscard]] std::size_t element_of_caller() const { return memory_size_; }
  /// Returns the number of bytes that an element takes in a buffer between a device and the file:
  /// in one form and, if it is converted, in the other.
  [[nodiscard]] std::size_t staged_size() const {
    return stored_size_ + (conversion_ ? memory_size_ : 0);
  }
  /// Returns true if reading needs the old contents of the caller's memory.
  [[nodiscard]] bool needs_old_contents() const {
    return keeps_gaps_ || (conversion_ && !conversion_->is_complete());
  }
  /// Converts `count` elements at the beginning of a buffer: from the stored form to the caller's,
  /// or back. Returns where they lie in the buffer.
  [[nodiscard]] std::span<std::byte> staged_for_caller(std::span<std::byte> room,
                                                       std::uint64_t count) const;
  [[nodiscard]] std::span<std::byte> staged_for_file(std::span<std::byte> room,
                                                     std::uint64_t count) const;
  /// Begins to copy elements of the caller's type, from index `first` on, to the caller's memory of
  /// a device, and back.
  void begin_scatter(std::span<const std::byte> elements, std::uint64_t first,
                     std::span<std::byte> out, device::Copies& copies) const {
    arrangement_.scatter(elements, first, out, memory_size_, copies);
  }
  void begin_gather(std::span<const std::byte> bytes, std::uint64_t first,
                    std::span<std::byte> elements, device::Copies& copies) const {
    arrangement_.gather(bytes, first, elements, memory_size_, copies);
  }
  /// Calls work(), and names the dataset in the error of a device.
  template <class F>
  auto naming_dataset(F&& work) const {
    return elements::naming_dataset(node_, std::forward<F>(work));
  }

 protected:
  Node& node_;

 private:
  /// Returns true if the elements lie packed in memory of the process.
  [[nodiscard]] bool is_packed() const { return arrangement_.is_packed() && !device_; }
  void pack_part(std::span<const std::byte> bytes, std::uint64_t first,
                 std::span<std::byte> out) const;
  /// Copies elements of the caller's type to the caller's memory, and back: all, or a part of
  /// `count`.
  void scatter(std::span<const std::byte> elements, std::span<std::byte> out) const;
  void gather(std::span<const std::byte> bytes, std::span<std::byte> elements) const;
  void scatter(std::span<const std::byte> elements, std::uint64_t first, std::uint64_t count,
               std::span<std::byte> out) const;
  void gather(std::span<const std::byte> bytes, std::uint64_t first, std::uint64_t count,
              std::span<std::byte> elements) const;
  template <class F>
  void copy_with_device(F&& copy) const;
  /// Calls each(first, count) for blocks of elements that fit into a small buffer.
  template <class F>
  void in_blocks(std::uint64_t first, std::uint64_t count, F&& each) const;

  BoundSelection selection_;
  Arrangement arrangement_;
  std::optional<Conversion> conversion_;  ///< present if the types differ
  std::size_t stored_size_;               ///< the bytes of a stored element
  std::size_t memory_size_;
  std::optional<device::Place> device_;
  bool keeps_gaps_ = false;  ///< a read must not change bytes between the members of elements
};

}  // namespace onecast::elements
